import { untouched } from '../../actors/batch/untouched.ts'
import type { FileReport } from '../../actors/batch/protocol.ts'
import type { BatchState } from '../../actors/batch/state.ts'
import { add, emptySet } from '../../actors/bitset.ts'
import type { RunRef } from '../../actors/ids.ts'
import type { ChunkReport } from '../../actors/run/protocol.ts'
import type { Chunks, RunProgress, RunState, StepError } from '../../actors/run/state.ts'
import { aBatchId, aFileId, anOwner } from './builders.ts'

/** Things of batches with everything filled in, so that a test names only what it is about. */

export const nowMs = 1_700_000_000_000

export function aRef(): RunRef {
  return { owner: anOwner(), batchId: aBatchId(), fileId: aFileId(), index: 0 }
}

export function aRun(progress: RunProgress): RunState {
  return {
    ...aRef(),
    filename: 'speech.wav',
    source: { type: 'upload', key: 'uploads/key' },
    settings: { script: 'mixed', channels: 'mix' },
    acceptedAtMs: nowMs,
    estimatedSeconds: 10,
    progress,
  }
}

export function someChunks(chunks: Partial<Chunks> & { readonly total: number }): Chunks {
  return { seconds: 10, issued: chunks.total, done: emptySet, failed: emptySet, active: {}, errors: [], ...chunks }
}

/** All of its chunks are issued, unless it is said otherwise. */
export function aRunningFile(chunks: Partial<Chunks> & { readonly total: number }): RunState {
  return aRun({ phase: 'running', attempt: 1, chunks: someChunks(chunks) })
}

export function bits(...members: readonly number[]): ReturnType<typeof add> {
  return add(emptySet, ...members)
}

export function anError(error: Partial<StepError> = {}): StepError {
  return { code: 'overloaded', message: 'Come back later.', attempts: 1, atMs: nowMs, ...error }
}

export const done = (chunk: number): ChunkReport => ({ type: 'ChunkDone', chunk, atMs: nowMs })

export const failed = (chunk: number, error: Partial<StepError> = {}): ChunkReport => ({
  type: 'ChunkFailed',
  chunk,
  error: anError(error),
})

export function aBatch(batch: Partial<BatchState> & { readonly total: number }): BatchState {
  return {
    batchId: aBatchId(),
    owner: anOwner(),
    acceptedAtMs: nowMs,
    settings: { script: 'mixed', channels: 'mix' },
    estimatedSeconds: 10,
    ...untouched,
    issued: batch.total,
    ...batch,
  }
}

export function moved(index: number, standing: FileReport['standing'], more: Partial<FileReport> = {}): FileReport {
  return { type: 'FileMoved', index, standing, chunks: 0, seconds: 0, estimatedSeconds: 0, atMs: nowMs, ...more }
}

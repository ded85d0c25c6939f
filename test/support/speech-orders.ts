import { add, emptySet } from '../../actors/bitset.ts'
import { chunkResultKey, isBatchId } from '../../actors/ids.ts'
import type { BatchId } from '../../actors/ids.ts'
import type { Blobs } from '../../actors/ports.ts'
import type { Chunks, RunOrder, ChunkError } from '../../actors/run/state.ts'
import type { SpeechWork } from '../../infra/speech/work/speech-work.ts'
import { aFileId, anOwner } from './builders.ts'

/** Files that were ordered, and chunks that came of them. */

export function anOrder(input: Partial<RunOrder> = {}): RunOrder {
  return {
    owner: anOwner(),
    batchId: aBatchId(),
    fileId: aFileId(),
    index: 0,
    filename: 'speech.wav',
    source: { type: 'upload', key: 'uploads/speech' },
    settings: { script: 'native', channels: 'mix' },
    acceptedAtMs: 1_700_000_000_000,
    estimatedSeconds: 10,
    ...input,
  }
}

function aBatchId(): BatchId {
  const id: string = aFileId()
  if (!isBatchId(id)) throw new Error('not an id')
  return id
}

/** All chunks are done but those that `errors` name. */
export function settledChunks(
  { total, seconds }: { total: number; seconds: number },
  errors: readonly ChunkError[] = [],
): Chunks {
  const all = Array.from({ length: total }, (_, chunk) => chunk)
  const failed = errors.map(({ chunk }) => chunk)
  const done = all.filter((chunk) => !failed.includes(chunk))
  return {
    total,
    seconds,
    issued: total,
    done: add(emptySet, ...done),
    failed: add(emptySet, ...failed),
    active: {},
    errors,
  }
}

/** What a chunk's worker does: hears it, and stores what it heard. */
export async function hearAndStore(blobs: Blobs, work: SpeechWork, input: { order: RunOrder; chunk: number }) {
  const { signal } = new AbortController()
  const heard = await work.transcriber.transcribe(
    { ...input.order, chunk: input.chunk, attempt: 1 },
    input.order.settings,
    signal,
  )
  const stored = { ...heard, attempts: 1, startedAtMs: 1_700_000_000_000 + input.chunk, tookMs: 5 }
  await blobs.put(chunkResultKey(input.order, input.chunk), { bytes: Buffer.from(JSON.stringify(stored)) })
  return stored
}

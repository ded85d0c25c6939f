import { add, emptySet } from '../../actors/bitset.ts'
import { chunkResultKey, planKey, transcriptKey } from '../../actors/ids.ts'
import type { RunRef } from '../../actors/ids.ts'
import { chunksOf } from '../../actors/run/state.ts'
import type { Chunks, RunProgress, StepError } from '../../actors/run/state.ts'
import type {
  FileResult,
  Segment,
  StoredChunk,
  StoredChunkSummary,
  StoredPlan,
  StoredTranscript,
} from '../../actors/transcript/state.ts'

/**
 * How far a file may be. `issued` is handed out without a record yet, `uncut` failed before it was cut, `deleted` waits and
 * its upload is gone, `doomed` was issued at that very moment, `purged` is gone by its own record, `forgotten` by the batch's too.
 */
export type RunStage =
  | 'queued'
  | 'issued'
  | 'planning'
  | 'waiting'
  | 'running'
  | 'assembling'
  | 'completed'
  | 'partial'
  | 'failed'
  | 'uncut'
  | 'fan-out-failed'
  | 'deleted'
  | 'doomed'
  | 'purged'
  | 'forgotten'

export const stageTimes = { startedMs: 1_700_000_010_000, finishedMs: 1_700_000_060_000 } as const
const chunkSeconds = 5
const tookMs = 250

interface Staged {
  readonly stage: RunStage
  readonly chunks?: number
  readonly text?: string
}

function aStepError(error: Partial<StepError> = {}): StepError {
  return {
    code: 'worker_failed',
    message: 'It did not work.',
    attempts: 2,
    atMs: stageTimes.finishedMs,
    ...error,
  }
}

/** Undefined when there is no record. Of those with chunks the last one stands out: it runs, or failed, or never came. */
export function progressOf({ stage, chunks: total = 2 }: Staged): RunProgress | undefined {
  const last = total - 1
  const allBut = (count: number): Chunks => ({
    total,
    seconds: total * chunkSeconds,
    issued: total,
    done: add(emptySet, ...Array.from({ length: total - count }, (_, chunk) => chunk)),
    failed: emptySet,
    active: {},
    errors: [],
  })
  const finished = { phase: 'finished', attempt: 1, finishedAtMs: stageTimes.finishedMs } as const
  const oneFailed = { ...allBut(1), failed: add(emptySet, last), errors: [{ ...aStepError(), chunk: last }] }
  switch (stage) {
    case 'queued':
    case 'issued':
    case 'deleted':
    case 'forgotten':
      return undefined
    case 'doomed':
      return { phase: 'queued' }
    case 'planning':
      return { phase: 'planning', attempt: 1, sinceMs: stageTimes.startedMs }
    case 'waiting':
      return { phase: 'waiting', attempt: 2, delayMs: 5000, error: aStepError({ attempts: 1 }) }
    case 'running': {
      const active = { [last]: { status: 'processing', attempt: 2, sinceMs: stageTimes.startedMs } } as const
      return { phase: 'running', attempt: 1, chunks: { ...allBut(1), active } }
    }
    case 'assembling':
      return { phase: 'assembling', attempt: 1, chunks: allBut(0) }
    case 'completed':
      return { ...finished, outcome: 'completed', errors: [], chunks: allBut(0) }
    case 'partial':
      return { ...finished, outcome: 'partial', errors: [], chunks: oneFailed }
    case 'failed':
      return { ...finished, outcome: 'failed', errors: [aStepError()], chunks: oneFailed }
    case 'uncut':
      return { ...finished, outcome: 'failed', errors: [aStepError({ code: 'unsupported_media' })] }
    case 'fan-out-failed': {
      const errors = [aStepError({ code: 'fan_out_failed' })]
      return { ...finished, outcome: 'failed', errors, chunks: { ...allBut(1), issued: last } }
    }
    case 'purged':
      return { phase: 'gone' }
  }
}

/** What workers have left in storage at this stage. */
export function runObjects(ref: RunRef, file: Staged): [string, object][] {
  const progress = progressOf(file)
  const chunks = progress && chunksOf(progress)
  if (!progress || !chunks) return []
  const numbers = Array.from({ length: chunks.total }, (_, chunk) => chunk)
  const done = file.stage === 'completed' || file.stage === 'assembling' ? numbers : numbers.slice(0, -1)
  const plan: StoredPlan = {
    seconds: chunks.seconds,
    channels: 1,
    warnings: [],
    chunks: numbers.map((chunk) => ({ ...spanOf(chunk), channel: 0 })),
  }
  const heard = done.map((chunk): [string, StoredChunk] => [
    chunkResultKey(ref, chunk),
    { ...chunkOf(chunk), heard: 'anything' },
  ])
  const transcript: StoredTranscript = {
    result: aResult(file.text ?? `words of ${ref.index}`),
    chunks: done.map((chunk): StoredChunkSummary => ({ ...chunkOf(chunk), chunk })),
  }
  const isWritten = file.stage === 'completed' || file.stage === 'partial'
  return [[planKey(ref), plan], ...heard, ...(isWritten ? [[transcriptKey(ref), transcript] as [string, object]] : [])]
}

export function aResult(text: string): FileResult {
  const words = [{ word: text, start: 0, end: 1, language: 'hi', confidence: 0.9 }]
  const segment: Segment = {
    start: 0,
    end: 1,
    text,
    language: 'hi',
    confidence: 0.9,
    words,
    tags: [{ type: 'pause', start: 0.4, end: 0.6, confidence: 1 }],
    model: 'a-model',
    speech_information: {
      timestamps: { start: 0, end: 1 },
      speaker_id: 'speaker-1',
      speaker_confidence: 0.8,
      tone: 'calm',
      tone_confidence: 0.7,
      loudness_db: -20,
      pitch_hz: 200,
      syllables_per_second: 4,
    },
  }
  return {
    text,
    language: 'hi',
    languages: [{ code: 'hi', share: 1 }],
    duration_seconds: 10,
    segments: [segment],
    model: 'a-model',
    script: 'native',
    warnings: [],
  }
}

function chunkOf(chunk: number): Omit<StoredChunk, 'heard'> {
  return {
    ...spanOf(chunk),
    text: `chunk ${chunk}`,
    language: 'hi',
    confidence: 0.9,
    model: 'a-model',
    attempts: 1,
    startedAtMs: stageTimes.startedMs,
    tookMs,
  }
}

function spanOf(chunk: number): { start: number; end: number } {
  return { start: chunk * chunkSeconds, end: (chunk + 1) * chunkSeconds }
}

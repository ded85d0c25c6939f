import type { ModelDigest, Receipt, ReceiptChunk } from '../../../actors/receipt/state.ts'
import type { StoredChunk, StoredTranscript } from '../../../actors/transcript/state.ts'
import { resultDigests } from '../../receipt/result-digests.ts'
import type { TranscribedChunk } from '../transcript/transcribed-chunk.ts'
import type { SpeechPlan } from './speech-plan.ts'
import type { StoredParts } from './stored-parts.ts'

interface ReceiptParts extends Pick<StoredParts, 'order' | 'failed'> {
  readonly plan: SpeechPlan
  readonly done: readonly (StoredChunk & { readonly chunk: number; readonly heard: TranscribedChunk })[]
  readonly result: StoredTranscript['result']
}

/** Nothing where the recording was cut by an older version, which did not say what it was. */
export function receiptOf({ order, plan, done, failed, result }: ReceiptParts): Receipt | undefined {
  if (!plan.audio) return undefined
  const chunks = [...done.map(doneChunk), ...failed.map((one) => failedChunk(plan, one))]
  return {
    version: 1,
    ...order,
    audio: plan.audio,
    models: allModels(done.flatMap(({ heard }) => heard.models ?? [])),
    chunks: chunks.sort((one, other) => one.chunk_index - other.chunk_index),
    result: resultDigests(result),
  }
}

function doneChunk({ chunk, start, end, earlier, ...one }: ReceiptParts['done'][number]): ReceiptChunk {
  const { attempts, startedAtMs, heard } = one
  return {
    chunk_index: chunk,
    start,
    end,
    status: 'completed',
    attempts,
    models: heard.models?.map(({ id }) => id) ?? [heard.model],
    transcribed_at: instantOf(startedAtMs),
    ...(earlier && {
      earlier: {
        transcribed_at: instantOf(earlier.startedAtMs),
        attempts: earlier.attempts,
        changed: earlier.isChanged,
      },
    }),
  }
}

function instantOf(ms: number): string {
  return new Date(ms).toISOString()
}

function failedChunk({ chunks }: SpeechPlan, { chunk, code, attempts }: StoredParts['failed'][number]): ReceiptChunk {
  const { start = 0, end = 0 } = chunks[chunk] ?? {}
  return { chunk_index: chunk, start, end, status: 'failed', attempts, code }
}

/** Workers may have had different files under one name: each of them is told. */
function allModels(used: readonly ModelDigest[]): ModelDigest[] {
  const different = new Map(used.map((model) => [JSON.stringify(model), model]))
  return [...different.entries()].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, model]) => model)
}

import { has } from '../../actors/bitset.ts'
import { chunkResultKey, planKey, transcriptKey } from '../../actors/ids.ts'
import type { RunRef } from '../../actors/ids.ts'
import type { Blobs } from '../../actors/ports.ts'
import { chunksOf } from '../../actors/run/state.ts'
import type { StoredChunk, StoredChunkSummary, StoredPlan, StoredTranscript } from '../../actors/transcript/state.ts'
import { ahead } from './ahead.ts'
import { chunkTotalOf } from './read.ts'
import type { BatchFile } from './read.ts'
import { readStoredJson } from '../../actors/stored-json.ts'

/** What storage has on a file, beyond its record. */
export interface Details {
  readonly transcript?: Omit<StoredTranscript, 'chunks'>
  /** Of those chunks that were asked about and are done, by number. */
  readonly summaries: ReadonlyMap<number, StoredChunkSummary>
  /** Where chunks were transcribed again for some words, and keep the others. */
  readonly again?: { readonly chunks: number; readonly changed: number }
}

const readsAtOnce = 8

/** The transcript of a finished file, and what is known of these chunks. */
export async function detailsOf(blobs: Blobs, file: BatchFile, chunks: readonly number[]): Promise<Details> {
  const transcript = hasTranscript(file)
    ? await readStoredJson<StoredTranscript>(blobs, transcriptKey(file.ref))
    : undefined
  if (transcript) {
    const wanted = new Set(chunks)
    const summaries = transcript.chunks.filter(({ chunk }) => wanted.has(chunk))
    return { transcript, summaries: new Map(summaries.map((one) => [one.chunk, one])), ...againIn(file, transcript) }
  }
  const done = (file.run && chunksOf(file.run.progress)?.done) ?? undefined
  const readable = done === undefined ? [] : chunks.filter((chunk) => has(done, chunk))
  const summaries = new Map<number, StoredChunkSummary>()
  // a chunk by itself does not know what is a part of what is to be taken out
  const isRedacted = file.run?.settings.redact !== undefined
  for await (const summary of ahead(readable, readsAtOnce, (chunk) => summaryOf(blobs, file.ref, chunk)))
    if (summary) summaries.set(summary.chunk, isRedacted ? { ...summary, text: '' } : summary)
  return { summaries }
}

/** Of those that this run was for: others may have been transcribed again before it. */
function againIn({ run }: BatchFile, { chunks }: StoredTranscript): Pick<Details, 'again'> {
  const own = chunks.filter(({ chunk, earlier }) => earlier && run?.again && has(run.again, chunk))
  if (own.length === 0) return {}
  return { again: { chunks: own.length, changed: own.filter(({ earlier }) => earlier?.isChanged).length } }
}

export function hasTranscript({ run }: BatchFile): boolean {
  return run?.progress.phase === 'finished' && run.progress.outcome !== 'failed'
}

export function planOf(blobs: Blobs, file: BatchFile): Promise<StoredPlan | undefined> {
  return chunkTotalOf(file) > 0 ? readStoredJson<StoredPlan>(blobs, planKey(file.ref)) : Promise.resolve(undefined)
}

async function summaryOf(blobs: Blobs, ref: RunRef, chunk: number): Promise<StoredChunkSummary | undefined> {
  const stored = await readStoredJson<StoredChunk>(blobs, chunkResultKey(ref, chunk))
  if (!stored) return undefined
  const { heard: _, ...summary } = stored
  return { ...summary, chunk }
}

import { minus, missing, size, union } from '../bitset.ts'
import type { Bitset } from '../bitset.ts'
import type { BatchId, FileId, Owner, RunRef } from '../ids.ts'
import type { OwnRetention } from '../retention/state.ts'
import { chunksOf, isRunSettled } from '../run/state.ts'
import type {
  Chunks,
  ContinuedRun,
  Metadata,
  RunProgress,
  RunState,
  Source,
  SourceOptions,
  TranscribeSettings,
  WorkAhead,
} from '../run/state.ts'
import type { SecretHeaders } from '../secret-headers.ts'

/** What came with one submission. Its files are in pages of their own, which do not change; here is how far they are. */
export interface BatchState extends WorkAhead {
  readonly batchId: BatchId
  readonly owner: Owner
  readonly acceptedAtMs: number
  /** What its user calls it. */
  readonly name?: string
  readonly metadata?: Metadata
  readonly settings: TranscribeSettings
  readonly total: number
  /** Of all files, as far as their headers tell; without those that settled and were never cut. */
  readonly estimatedSeconds: number
  /** Files below this number have been handed to the workers. */
  readonly issued: number
  readonly started: Bitset
  readonly completed: Bitset
  readonly partial: Bitset
  readonly failed: Bitset
  /** Deleted by the user. */
  readonly gone: Bitset
  /** By file: how many chunks it has, 0 until that is known. */
  readonly chunks: readonly number[]
  /** Seconds of audio in the files that have settled. */
  readonly settledSeconds: number
  /** What the headers of the same files told. */
  readonly settledEstimate: number
  /** Files of which their user wants no more than is done. */
  readonly cancelled?: Bitset
  readonly finishedAtMs?: number
  /** Of the request, under an idempotency key. */
  readonly fingerprint?: string
  /** Who is to be told when it has ended. */
  readonly callbackUrl?: string
  readonly callbackHeaders?: SecretHeaders
  /** There was no quota when it came: it took nothing of one. */
  readonly isUnmetered?: true
  /** As in its open entry, when they are few: who closes it need not look there. */
  readonly stretches?: readonly string[]
  /** What of it ends sooner than the server would have it. */
  readonly retain?: OwnRetention
  /** The batch whose failures this one tries again. */
  readonly retryOf?: BatchId
  /** The batch that tries its failures again; when that is not there, it was never accepted. */
  readonly retriedAs?: BatchId
  /** Those of its files that are tried again apart from the others; of each the same holds. */
  readonly retriedApart?: readonly RetriedApart[]
}

export interface RetriedApart {
  readonly as: BatchId
  readonly files: Bitset
}

/** One page of a batch's files, in order. */
export interface Members {
  readonly files: readonly (Member | null)[]
}

/** Null in its page when the user deleted it. */
export interface Member extends SourceOptions, ContinuedRun {
  readonly fileId: FileId
  readonly filename: string
  readonly source: Source
  readonly estimatedSeconds: number
}

/** A page is one record of the broker, also when each file has a URL of the longest kind. */
export const membersPerPage = 100

export function membersKey(batchId: BatchId, index: number): string {
  return `${batchId}.${Math.floor(index / membersPerPage)}`
}

/** Of the files in the page with this key. */
export function firstIndexOf(key: string): number {
  return Number(key.slice(key.indexOf('.') + 1)) * membersPerPage
}

export type BatchStatus = 'queued' | 'processing' | 'completed' | 'partial' | 'failed'

export function settledOf(batch: BatchState): Bitset {
  return union(batch.completed, batch.partial, batch.failed, batch.gone)
}

/** Issued and not settled, in order. */
export function underWayOf(batch: BatchState): number[] {
  return missing(batch.issued, settledOf(batch))
}

/** What a caller is told: deleted files are no longer counted anywhere. */
export function countsOf(batch: BatchState): { total: number; completed: number; partial: number; failed: number } {
  const left = (set: Bitset): number => size(minus(set, batch.gone))
  return {
    total: batch.total - size(batch.gone),
    completed: left(batch.completed),
    partial: left(batch.partial),
    failed: left(batch.failed),
  }
}

export function statusOf(batch: BatchState): BatchStatus {
  const { total, completed, partial, failed } = countsOf(batch)
  if (completed + partial + failed < total) return size(batch.started) > 0 ? 'processing' : 'queued'
  if (failed === total && total > 0) return 'failed'
  return partial + failed > 0 ? 'partial' : 'completed'
}

/** How far it is, in the words of the API: its status endpoint and the call to a webhook say the same. */
export function standingOfBatch(batch: BatchState) {
  const { total, completed, partial, failed } = countsOf(batch)
  return {
    batch_id: batch.batchId,
    ...(batch.name !== undefined && { name: batch.name }),
    ...(batch.metadata && { metadata: batch.metadata }),
    status: statusOf(batch),
    total_files: total,
    files_completed: completed + partial,
    files_partial: partial,
    files_failed: failed,
  }
}

export function unsettledOf(batch: BatchState): number {
  return batch.total - size(settledOf(batch))
}

/** Seconds of audio in a batch. */
interface BatchAudio {
  /** In all files that were heard or are to be. */
  readonly seconds: number
  /** Still to be heard. */
  readonly left: number
}

/**
 * Of `underWay`, the files that workers have in hand, the chunks count one by one; without their records they count as a whole. How long
 * a file is becomes known when it is cut, and nothing becomes known when something settles: so what settles only lowers what is left.
 */
export function audioSecondsOf(
  batch: BatchState,
  underWay: Iterable<Pick<RunState, 'estimatedSeconds' | 'progress'>> = [],
): BatchAudio {
  if (unsettledOf(batch) === 0) return { seconds: batch.settledSeconds, left: 0 }
  let cutSeconds = batch.settledSeconds
  let cutEstimate = batch.settledEstimate
  let left = 0
  for (const { estimatedSeconds, progress } of underWay) {
    const chunks = chunksOf(progress)
    // one without any audio tells nothing of the others
    if (!chunks || chunks.seconds === 0) continue
    cutSeconds += chunks.seconds
    cutEstimate += estimatedSeconds
    left += chunks.seconds * openShareOf(progress, chunks)
  }
  // those that are not cut yet are taken to be as much longer or shorter than their headers tell as those that are
  const scale = cutEstimate > 0 ? cutSeconds / cutEstimate : 1
  const uncut = Math.max(0, batch.estimatedSeconds - cutEstimate) * scale
  return { seconds: cutSeconds + uncut, left: left + uncut }
}

function openShareOf(progress: RunProgress, { total, done, failed }: Chunks): number {
  if (isRunSettled(progress) || total === 0) return 0
  return 1 - (size(done) + size(failed)) / total
}

/** In the place of a batch that nobody may see, until what is left of it is cleared away. */
export interface WithdrawnBatch extends OpenBatch {
  readonly total: 0
  readonly finishedAtMs: number
  /** It was accepted, and is being deleted; otherwise its submission never came to its end. */
  readonly isPurging?: true
  /** As it was: files below this number may have been handed to the workers. */
  readonly issued: number
}

/** What is stored under the id of a batch. */
export type BatchRecord = BatchState | WithdrawnBatch

/** A batch that was submitted has files. */
export function isWithdrawnBatch(batch: BatchRecord): batch is WithdrawnBatch {
  return batch.total === 0
}

/** The batch that was accepted under an id, if one was and is not deleted. */
export function acceptedBatch(batch: BatchRecord | undefined): BatchState | undefined {
  return batch && !isWithdrawnBatch(batch) ? batch : undefined
}

/** One entry for every batch that is not finished: what the sweeper looks after, and the queue that others wait behind. */
export interface OpenBatch {
  readonly owner: Owner
  readonly batchId: BatchId
  /** Under which its files are found while they wait; absent where only the batch is meant. */
  readonly stretches?: readonly string[]
  readonly hasVocabulary?: true
  readonly hasQuestions?: true
}

/**
 * Leads from a file to the open batches that it may be in. Ids begin with the time when they were made, and files that are submitted
 * together were mostly made together: so there is an entry for each stretch of time that a batch has files from, not for each file.
 */
export interface WaitingBatch extends OpenBatch {
  /** Of its members: where files of this stretch are. */
  readonly pages: readonly number[]
}

/** A file that waits in an open batch, as that one calls it. */
export interface WaitingFile extends SourceOptions {
  readonly ref: RunRef
  readonly filename: string
  readonly acceptedAtMs: number
}

export function openKey(input: OpenBatch): string {
  return `${input.owner}.${input.batchId}`
}

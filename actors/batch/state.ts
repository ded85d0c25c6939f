import type { Bitset } from '../bitset.ts'
import { emptySet, minus, missing, size, union } from '../bitset.ts'
import type { BatchId, FileId, Owner } from '../ids.ts'
import type { Source, TranscribeSettings } from '../file/state.ts'

/** What came with one submission. Its files are in pages of their own, which do not change; here is how far they are. */
export interface BatchState {
  readonly batchId: BatchId
  readonly owner: Owner
  readonly acceptedAtMs: number
  readonly settings: TranscribeSettings
  readonly total: number
  /** Of all files, as far as their headers tell. */
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
  /** Seconds of sound in the files that have settled. */
  readonly settledSeconds: number
  readonly finishedAtMs?: number
  /** Of the request, under an idempotency key. */
  readonly fingerprint?: string
  /** Who is to be told when it has ended. */
  readonly callbackUrl?: string
  /** The batch whose failures this one tries again. */
  readonly retryOf?: BatchId
  /** The batch that tries its failures again; when that is not there, it was never accepted. */
  readonly retriedAs?: BatchId
}

/** One page of a batch's files, in order. */
export interface Members {
  readonly files: readonly (Member | null)[]
}

/** Null in its page when the user deleted it. */
export interface Member {
  readonly fileId: FileId
  readonly filename: string
  readonly source: Source
  readonly estimatedSeconds: number
  /** The batch in which this file was begun: what was heard there is not heard again. */
  readonly continues?: BatchId
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

export function unsettledOf(batch: BatchState): number {
  return batch.total - size(settledOf(batch))
}

/** Sound that is still to be heard, as the headers tell; where they told too little, as much a file as in those that settled. */
export function remainingSecondsOf(batch: BatchState): number {
  const unsettled = unsettledOf(batch)
  if (unsettled === 0) return 0
  const byHeaders = batch.estimatedSeconds - batch.settledSeconds
  if (byHeaders > 0) return byHeaders
  return (unsettled * batch.settledSeconds) / Math.max(1, batch.total - unsettled)
}

/** What a submission asks for. */
export interface BatchOrder {
  readonly batchId: BatchId
  readonly owner: Owner
  readonly settings: TranscribeSettings
  readonly members: readonly Member[]
  readonly fingerprint?: string
  readonly callbackUrl?: string
  readonly retryOf?: BatchId
}

/** How far a batch is that nobody has begun. */
export const untouched = {
  issued: 0,
  started: emptySet,
  completed: emptySet,
  partial: emptySet,
  failed: emptySet,
  gone: emptySet,
  chunks: [],
  settledSeconds: 0,
} as const

/** Takes the place of a batch whose submission never came to its end, until what it left is cleared away. */
export function abandonedBatch({ owner, batchId }: OpenBatch, atMs: number): BatchState {
  return {
    batchId,
    owner,
    acceptedAtMs: atMs,
    settings: { script: 'mixed', channels: 'mix' },
    total: 0,
    estimatedSeconds: 0,
    ...untouched,
    finishedAtMs: atMs,
  }
}

/** A batch that was submitted has files. */
export function isAbandoned({ total }: BatchState): boolean {
  return total === 0
}

/** One entry for every batch that is not finished: what the sweeper looks after, and the queue that others wait behind. */
export interface OpenBatch {
  readonly owner: Owner
  readonly batchId: BatchId
}

export function openKey(of: OpenBatch): string {
  return `${of.owner}.${of.batchId}`
}

/** What one user's open batches take of the quota: a set, so that nothing is given back twice (I13). */
export interface Quota {
  readonly reserved: Readonly<Record<BatchId, { readonly files: number; readonly seconds: number }>>
}

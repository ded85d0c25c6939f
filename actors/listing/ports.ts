import type { BatchStatus } from '../batch/state.ts'
import type { BatchId, FileId, Owner } from '../ids.ts'
import type { Seen } from '../last-seen.ts'
import type { UploadStatus } from '../upload/state.ts'
import type { Head } from './pages.ts'

/** Which files a user has, newest first, countable by status. Costs follow the page, not the user's history. */
export interface Listing {
  append(owner: Owner, files: readonly ListedFile[]): Promise<void>
  mark(owner: Owner, files: readonly ListedFile[]): Promise<void>
  remove(owner: Owner, files: readonly FileId[]): Promise<void>
  page(owner: Owner, query: ListingQuery<UploadStatus>): Promise<ListingPage>
}

/** The same files from a place on, as batches are walked through. */
export interface FileWalk {
  walk(owner: Owner, query: WalkQuery<UploadStatus>): Promise<Walked<FileId>>
}

/** How much it is altogether; costs one read. */
export interface OwnerHoldings {
  held(owner: Owner): Promise<Held>
}

export interface Held {
  readonly count: number
  readonly sizeBytes: number
}

export interface ListingQuery<Status> {
  readonly offset: number
  readonly limit: number
  readonly status?: Status | undefined
}

export interface ListedFile {
  readonly fileId: FileId
  readonly status: UploadStatus
  /** Where it is listed first. */
  readonly sizeBytes?: number
}

interface ListingPage {
  readonly total: number
  readonly fileIds: readonly FileId[]
}

/** Which batches a user has, newest first. A batch that is marked and not listed stays unlisted: it was deleted meanwhile. */
export interface BatchListing {
  append(owner: Owner, batches: readonly ListedBatch[]): Promise<void>
  mark(owner: Owner, batches: readonly ListedBatch[]): Promise<void>
  remove(owner: Owner, batchIds: readonly BatchId[]): Promise<void>
  /** From a place on; the same place goes on with the same batch, whatever was submitted meanwhile. */
  walk(owner: Owner, query: WalkQuery<ListedBatchStatus>): Promise<Walked<BatchId>>
  /** The head of a user's list as this process last stored it, unless that is large or long ago. */
  lastHead(owner: Owner): SeenHead | undefined
  /** As another process stored it: who marks a batch next need not read it. */
  keepHead(owner: Owner, head: SeenHead): void
}

export type SeenHead = Seen<Head>

export interface ListedBatch {
  readonly batchId: BatchId
  readonly status: ListedBatchStatus
}

/** How far an open batch is only its record tells: it changes too often to be written down twice. */
export type ListedBatchStatus = Exclude<BatchStatus, 'queued' | 'processing'> | 'open'

export interface WalkQuery<Status> {
  readonly limit: number
  readonly after?: ListingPlace | undefined
  readonly status?: Status | undefined
  /** When they were made: not before. */
  readonly fromMs?: number | undefined
  /** Before this. */
  readonly toMs?: number | undefined
}

/** How far a walk has come: behind this one, or behind the whole page. */
export interface ListingPlace {
  readonly page: number
  readonly id?: string
}

export interface Walked<Id> {
  readonly ids: readonly Id[]
  /** Where it goes on, if it does. There may be fewer than were asked for before that. */
  readonly next?: ListingPlace
}

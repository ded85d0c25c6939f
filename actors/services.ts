import type { Load, OpenWork } from './batch/estimate.ts'
import type { BatchOrder } from './batch/protocol.ts'
import type { BatchState, Member, OpenBatch, WaitingFile } from './batch/state.ts'
import type { BatchId, FileId, Owner, RunRef } from './ids.ts'
import type { PromisedPurge } from './purge/state.ts'
import type { SpooledUpload } from './upload/ports.ts'
import type { SameBytes, Upload } from './upload/state.ts'
import type { Webhook } from './webhook/state.ts'
import type { WaitedFor } from './worker/state.ts'

/** What the domain does for those outside. */

/** What the gateway asks of the upload actors. */
export interface Uploads {
  /** Records an upload that is safe in the spool and begins to move it into storage. Resolves with the files whose bytes were stored already. */
  accept(upload: SpooledUpload): Promise<SameBytes>
  /** Takes an upload back that the client was, or is about to be, told no about. */
  abandon(upload: SpooledUpload): Promise<void>
  /** Sees to it that an upload which was never answered does not come any more; true when it has. */
  withdraw(input: Pick<Upload, 'owner' | 'uploadId'>): Promise<boolean>
  purge(owner: Owner, fileIds: readonly FileId[]): Promise<DeleteOutcome>
  /** Nothing when there is no such batch of this user. */
  purgeBatch(deletion: BatchDeletion): Promise<DeletedBatch | undefined>
  /** Of what is surely this user's: promised when it resolves, and done soon after, whatever dies. */
  purgeLater(promised: PromisedPurge): Promise<void>
}

export interface BatchDeletion extends Pick<BatchState, 'owner' | 'batchId'> {
  /** Otherwise what was uploaded stays. */
  readonly withFiles: boolean
}

export interface DeletedBatch {
  readonly deletedFiles: readonly FileId[]
  readonly objectsDeleted: number
  readonly jobsCleaned: number
}

export type DeleteOutcome =
  | {
      readonly deleted: readonly FileId[]
      readonly objectsDeleted: number
      readonly jobsCleaned: number
      readonly missing?: undefined
    }
  | { readonly missing: readonly FileId[] }

/** What the gateway asks of batches. */
export interface Batches {
  /** Accepted when it resolves, whatever dies afterwards (I1). Refuses with `overloaded` or `quota_exceeded`. */
  submit(order: BatchOrder): Promise<Submitted>
  /**
   * Submits what failed in a batch, or in the newest retry of it, once more under a new id; refuses what is under way. With files, these
   * alone.
   */
  retry(
    batch: BatchState,
    as: BatchId,
    fileIds?: ReadonlySet<FileId>,
  ): Promise<Submitted & { readonly members: readonly Member[] }>
  /**
   * Of what is not done, or of these files, no more is wanted: resolves with how many end so. Refuses files that are not under way; nothing when there
   * is no such batch of this user.
   */
  cancel(batch: OpenBatch, fileIds?: ReadonlySet<FileId>): Promise<number | undefined>
  /** An empty name takes away the one that it has. Nothing when there is no such batch of this user. */
  rename(batch: OpenBatch, name: string): Promise<BatchState | undefined>
  /** Sees to it that a submission which was never answered does not come any more; or gives the batch, if it has. */
  withdraw(input: OpenBatch): Promise<BatchState | undefined>
  /** The places of a file in batches that are open. */
  whereQueued(owner: Owner, fileId: FileId): Promise<readonly RunRef[]>
  /** Of many files, each in the newest batch that it waits in. */
  allQueued(owner: Owner, fileIds: readonly FileId[]): Promise<ReadonlyMap<FileId, WaitingFile>>
}

export interface Submitted {
  readonly batch: BatchState
  /** As it looked when the batch came. */
  readonly secondsUntilDone: number
}

/** The queue that everybody waits in: a moment old, except for what came through this process. Estimates are in seconds. */
export interface Backlog {
  /** Of all users, waiting or under way. */
  files(): Promise<number>
  /** So that what is told next is what is true now, and not what was seen a while ago. */
  lookAgain(): Promise<void>
  /** Of everybody together. */
  load(): Promise<Load>
  filesOf(owner: Owner): Promise<number>
  /** What this work cannot go on without, while it is on its way. */
  waitingFor(work: OpenWork): Promise<WaitedFor | undefined>
  secondsUntilDone(work: OpenWork): Promise<number>
  secondsUntilIdle(owner: Owner): Promise<number>
  secondsUntilRoom(files: number): Promise<number>
  /** Pieces of work of this user that wait or are under way, about. */
  piecesOf(owner: Owner): Promise<number>
  /** Counts at once, until the records are looked at the next time. */
  add(work: OpenWork): void
  drop(batchId: BatchId): void
}

/** What the gateway asks of the calls that batches owe. */
export interface Webhooks {
  read(batchId: BatchId): Promise<Webhook | undefined>
  resend(input: OpenBatch): Promise<Webhook>
}

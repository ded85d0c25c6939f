import type { BatchId, FileId, Owner, RunRef, UploadId } from '../ids.ts'

/** A deletion that was promised: written before the first thing is touched, so that a crash cannot leave it half done. */
export interface Purge {
  readonly owner: Owner
  readonly fileIds: readonly FileId[]
  /** Goes with everything that was made of these files in it, and without it they go as a whole. */
  readonly batchId?: BatchId
  /** The files go as a whole with their batch. */
  readonly withFiles?: true
  /** Only the recordings go; what was understood of them stays. */
  readonly audioOnly?: true
  /** That went with the last of their files. */
  readonly uploadIds?: readonly UploadId[]
  /** Nothing else goes: this run looks once more what it left (`attempt/late-parts.ts`). */
  readonly wakes?: RunRef
  /** Kept until nobody can have in hand any more what was deleted. */
  readonly isDone?: true
}

export type PromisedPurge = Omit<Purge, 'isDone' | 'uploadIds' | 'wakes'>

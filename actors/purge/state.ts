import type { BatchId, FileId, Owner } from '../ids.ts'

/** A deletion that was promised: written before the first thing is touched, so that a crash cannot leave it half done. */
export interface Purge {
  readonly owner: Owner
  readonly fileIds: readonly FileId[]
  /** Goes with everything that was made of these files in it, and without it they go as a whole. */
  readonly batchId?: BatchId
  /** The files go as a whole with their batch. */
  readonly withFiles?: true
  /** Kept until nobody can have in hand any more what was deleted. */
  readonly isDone?: true
}

export type PromisedPurge = Omit<Purge, 'isDone'>

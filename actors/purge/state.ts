import type { FileId, Owner } from '../ids.ts'

/** A deletion that was promised: written before the first file is touched, so that a crash cannot leave it half done. */
export interface Purge {
  readonly owner: Owner
  readonly fileIds: readonly FileId[]
  /** Kept until nobody can have in hand any more what was deleted. */
  readonly isDone?: true
}

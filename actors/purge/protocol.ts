import type { FileId, Owner } from '../ids.ts'

/** What may be said to a deletion. */
export type PurgeCommand =
  | { readonly type: 'Promise'; readonly owner: Owner; readonly fileIds: readonly FileId[] }
  | { readonly type: 'Removed' }
  /** It has been done for so long that nobody who came late can still write. */
  | { readonly type: 'Lingered' }
  /** From who keeps the promises: look what is owed. */
  | { readonly type: 'Wake' }

/** What a deletion owes. Each may be done twice. */
export type PurgeEffect =
  | { readonly type: 'RemoveFiles' }
  /** What somebody wrote who came late goes, and then the promise. */
  | { readonly type: 'Forget' }

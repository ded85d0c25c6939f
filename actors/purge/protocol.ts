import type { UploadId } from '../ids.ts'
import type { PromisedPurge } from './state.ts'

/** What may be said to a deletion. */
export type PurgeCommand =
  | { readonly type: 'Promise'; readonly purge: PromisedPurge }
  | { readonly type: 'Removed'; readonly uploadIds: readonly UploadId[] }
  /** It has been done for so long that nobody who came late can still write. */
  | { readonly type: 'Lingered' }
  /** From who keeps the promises: look what is owed. */
  | { readonly type: 'Wake' }

/** What a deletion owes. Each may be done twice. */
export type PurgeEffect =
  | { readonly type: 'Remove' }
  /** What somebody wrote who came late goes, and then the promise. */
  | { readonly type: 'Forget' }

import type { UploadStatus } from './state.ts'

/** What may happen to an uploaded file, in the order in which it usually does. */
export type UploadCommand =
  | { readonly type: 'Begin' }
  | { readonly type: 'Stored'; readonly storageKey: string }
  /** Another file is about to refer to where this one is stored. */
  | { readonly type: 'Share' }
  | { readonly type: 'GiveUp'; readonly reason: string }
  | { readonly type: 'Purge' }

/** What the gateway that has its bytes owes it. Each may be done twice. */
export type UploadEffect =
  | { readonly type: 'List'; readonly status: UploadStatus }
  | { readonly type: 'Store' }
  /** It was deleted while it was being stored: nothing else knows of these bytes any more (I12). */
  | { readonly type: 'Discard' }
  /** The room that it takes in the spool. */
  | { readonly type: 'Release' }

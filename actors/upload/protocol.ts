/** What may happen to an uploaded file, in the order in which it usually does. */
export type FileCommand =
  | { readonly type: 'Begin' }
  | { readonly type: 'Stored'; readonly storageKey: string }
  | { readonly type: 'GiveUp'; readonly reason: string }
  | { readonly type: 'Purge' }

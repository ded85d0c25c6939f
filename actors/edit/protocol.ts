/** What may be done to a transcript. Segments and words are counted from 0, as they are read. */
export type Change =
  | { readonly type: 'text'; readonly segment: number; readonly text: string }
  | { readonly type: 'word'; readonly segment: number; readonly word: number; readonly text: string }
  | { readonly type: 'name'; readonly speaker: string; readonly name: string }
  | { readonly type: 'merge'; readonly speaker: string; readonly into: string }
  | { readonly type: 'note'; readonly id?: string | undefined; readonly at: number; readonly text: string }
  | { readonly type: 'remove_note'; readonly id: string }
  | { readonly type: 'undo' }
  | { readonly type: 'redo' }
  | { readonly type: 'restore'; readonly version: number }

export interface EditRequest {
  /** The one that was looked at: when there is a newer one, nothing is done. */
  readonly version: number
  readonly changes: readonly Change[]
}

/** Why nothing was done, for who asked. */
export interface EditRefusal {
  readonly code: 'invalid_request' | 'conflict' | 'too_large'
  readonly detail: string
}

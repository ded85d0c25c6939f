import type { Seconds } from '../analysis/prosody.ts'

/** Speech that nobody could write down, in seconds of the recording. */
export interface Unheard extends Seconds {
  readonly reason: UnheardReason
}

export const unheardReasons = ['not understood', 'noise', 'other language'] as const

export type UnheardReason = (typeof unheardReasons)[number]

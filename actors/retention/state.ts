import type { BatchId, Owner } from '../ids.ts'
import type { Revision } from '../ports.ts'

/** What of a transcription ends by itself: recordings, what was understood of them, and that there was a batch at all. */
export type RetainedKind = 'audio' | 'results' | 'records'

/** For how long each is kept, in milliseconds; 0 is for ever. */
export type Retention = Readonly<Record<RetainedKind, number>>

/** What a submission asked for, in days: never longer than the server keeps it. */
export type OwnRetention = Readonly<Partial<Record<RetainedKind, number>>>

/** That something of a batch ends by its own wish, counted from when this was stored. */
export interface Expiry {
  readonly owner: Owner
  readonly batchId: BatchId
  readonly kind: RetainedKind
  readonly days: number
}

/** How far somebody has gone through records that stay when something of them has ended; or, with 0, that one of them is being ended. */
export interface RetentionPlace {
  readonly revision: Revision
}

export const msPerDay = 86_400_000

export function expiryKey({ batchId, kind }: Pick<Expiry, 'batchId' | 'kind'>): string {
  return `${batchId}.${kind}`
}

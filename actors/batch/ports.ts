import type { BatchId } from '../ids.ts'
import type { Seen } from '../last-seen.ts'
import type { SeenHead } from '../listing/ports.ts'
import type { BatchState } from './state.ts'

/** Tells that something of a batch was written. A telling may be lost: who watches looks now and then all the same. */
export interface BatchChanges {
  /** Yields at once, then when something changed and at least every `everyMs`; ends with the signal. */
  watch(batchId: BatchId, options: { signal: AbortSignal; everyMs: number }): AsyncIterable<void>
}

/**
 * What the sender of work had just stored and its taker will write, so that this one need not read it first. It may be old by then: whoever writes on it is
 * refused, and reads. What is in messages is not removed with what a user deletes, so none of it has anything in it that users wrote.
 */
export interface SentRecords {
  readonly batch?: Seen<BatchState>
  /** Of the list of its user's batches. */
  readonly listHead?: SeenHead
}

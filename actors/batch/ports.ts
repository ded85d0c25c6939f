import type { BatchId } from '../ids.ts'

/** Tells that something of a batch was written. A telling may be lost: who watches looks now and then all the same. */
export interface BatchChanges {
  /** Yields at once, then when something changed and at least every `everyMs`; ends with the signal. */
  watch(batchId: BatchId, options: { signal: AbortSignal; everyMs: number }): AsyncIterable<void>
}

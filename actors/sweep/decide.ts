import { isWithdrawnBatch } from '../batch/state.ts'
import type { BatchRecord } from '../batch/state.ts'

/** What a sweep does about one open entry. `ask`: it is woken when it turns out that something of it has no message. */
type Care = 'leave' | 'ask' | 'wake' | 'collect'

export interface SweepLimits {
  /** A batch that has not changed for so long is looked after. */
  readonly staleMs: number
  /** An entry without a batch is older than any submission that is still under way. */
  readonly orphanMs: number
}

export function careFor(
  found: { readonly batch: BatchRecord | undefined; readonly ageMs: number },
  limits: SweepLimits,
): Care {
  // somebody died while clearing it away; what is deleted is cleared away by who keeps that promise
  if (found.batch && isWithdrawnBatch(found.batch)) return found.batch.isPurging ? 'leave' : 'collect'
  if (!found.batch) return found.ageMs > limits.orphanMs ? 'collect' : 'leave'
  // finished, and the entry is still here: somebody died while closing it
  if (found.batch.finishedAtMs !== undefined) return 'wake'
  return found.ageMs > limits.staleMs ? 'ask' : 'leave'
}

import { awayCodeOf, FailureError } from '../failure.ts'
import { retryDelayMs } from './retry.ts'

/** What is thrown and nobody foresaw may be an outage in a form that we do not know: it is tried so often, for some three minutes. */
export const puzzlesMax = 10

const againMs = 1_000
const againMaxMs = 30_000

/**
 * Whether work that was refused in this way is ever done. An outage ends however long it lasts; what can never be done is not
 * tried a second time.
 */
export function isHopeless(error: unknown, deliveries: number): boolean {
  return error instanceof FailureError ? error.failure.kind === 'terminal' : deliveries >= puzzlesMax
}

/**
 * Long enough not to spin on what fails at once. What nobody foresaw is asked more and more rarely, and so is what comes back because
 * something is away that a check does not see, such as room for a large file. It counts deliveries, which no limit hangs on.
 */
export function delayBeforeAgainMs(error: unknown, deliveries: number): number {
  const isAway = awayCodeOf(error) !== undefined
  if (error instanceof FailureError && !isAway) return againMs
  return retryDelayMs(deliveries, { firstMs: againMs, lastMs: againMaxMs, jitter: isAway ? Math.random() : 1 })
}

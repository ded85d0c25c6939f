import { FailureError } from '../failure.ts'

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

/** Long enough not to spin on what fails at once; what nobody foresaw is asked more and more rarely. */
export function delayBeforeAgainMs(error: unknown, deliveries: number): number {
  return error instanceof FailureError ? againMs : Math.min(againMaxMs, againMs * 2 ** (deliveries - 1))
}

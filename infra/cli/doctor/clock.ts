import { broken, doubtful, healthy } from './diagnosis.ts'
import type { Diagnosis } from './diagnosis.ts'

interface Clocks {
  readonly check: string
  /** Whose clock it is, as the beginning of a sentence. */
  readonly whose: string
  readonly theirsMs: number
  readonly oursMs: number
  /** From here on tokens that were just made are refused. */
  readonly toleranceSeconds: number
}

/** A Date header has whole seconds, and an answer takes its time. */
const nothingMs = 2_000

export function judgeClock({ check, whose, theirsMs, oursMs, toleranceSeconds }: Clocks): Diagnosis {
  const skewMs = theirsMs - oursMs
  const size = Math.abs(skewMs)
  if (size <= nothingMs) return healthy(check, `${whose} and the clock of this machine agree to ${nothingMs / 1000} s.`)
  const reason = `${whose} is ${(size / 1000).toFixed(1)} s ${skewMs > 0 ? 'ahead of' : 'behind'} the clock of this machine.`
  const advice = 'Run a time service (chrony, systemd-timesyncd) on both machines.'
  return size > toleranceSeconds * 1000
    ? broken(check, reason, `${advice} Tokens are refused beyond JWT_CLOCK_TOLERANCE_SECONDS (${toleranceSeconds}).`)
    : doubtful(check, reason, advice)
}

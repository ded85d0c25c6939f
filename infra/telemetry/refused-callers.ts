import type { CredentialKind } from '../../actors/identity.ts'
import type { Clock, Log } from '../../actors/ports.ts'
import type { Metrics } from './metrics.ts'

/** Somebody was not let in: what was shown, and what the log may know beside it. */
type RefusedCaller = (credential: CredentialKind, facts: Readonly<Record<string, unknown>>) => void

const windowMs = 60_000
/** Whoever tries keys by the thousand is counted, and does not fill the log. */
const linesPerWindow = 20

export function watchRefusedCallers(parts: {
  readonly metrics: Metrics
  readonly log: Log
  readonly clock: Pick<Clock, 'elapsedMs'>
}): RefusedCaller {
  const { log, clock } = parts
  const count = parts.metrics.counter({
    name: 'vaak_callers_refused_total',
    help: 'Requests and sessions that were refused because nobody knows the caller, by what was shown.',
    label: 'credential',
  })
  let windowBeganMs = clock.elapsedMs()
  let lines = 0
  let leftOut = 0
  return (credential, facts) => {
    count(credential)
    const nowMs = clock.elapsedMs()
    if (nowMs - windowBeganMs >= windowMs) {
      windowBeganMs = nowMs
      lines = 0
    }
    lines += 1
    if (lines > linesPerWindow) {
      leftOut += 1
      return
    }
    log.warn('caller refused', { credential, ...facts, ...(leftOut > 0 && { leftOut }) })
    leftOut = 0
  }
}

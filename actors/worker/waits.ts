import type { Clock } from '../ports.ts'
import type { WaitedFor } from './state.ts'

/** One thing that is waited for, from its start until it is done or has failed. */
export interface Wait {
  /** From 0 to 1. */
  update(fraction: number): void
  done(): void
  fail(): void
}

/** What a worker waits for before it can work: models that are fetched and opened. */
export interface Waits {
  readonly start: (what: string, options?: Pick<WaitedFor, 'stopsAll'>) => Wait
  /** The one that takes longest, of those that say how far they are if there are any. */
  current(): WaitedFor | undefined
  /** For how long there has been anything, all in all: time in which nothing is said about how fast the worker is. */
  waitedMs(): number
}

interface OpenWait extends Pick<WaitedFor, 'stopsAll'> {
  readonly what: string
  readonly sinceMs: number
  /** When it was first told how much is there: what an earlier attempt left is not this one's speed. */
  first?: Mark
  fraction?: number
}

interface Mark {
  readonly fraction: number
  readonly atMs: number
}

/** Of a download whose speed is not known yet: models have some hundred megabytes. */
const unmeasuredMs = 30_000
const percents = 100

export function createWaits(clock: Clock): Waits {
  const open = new Set<OpenWait>()
  let passedMs = 0
  let sinceMs = 0

  function waitedMs(): number {
    const nowMs = clock.elapsedMs()
    if (open.size > 0) passedMs += nowMs - sinceMs
    sinceMs = nowMs
    return passedMs
  }

  return {
    start(what, options = {}) {
      waitedMs()
      const wait: OpenWait = { ...options, what, sinceMs: clock.elapsedMs() }
      open.add(wait)
      const end = (): void => {
        waitedMs()
        open.delete(wait)
      }
      return {
        update(fraction) {
          wait.fraction = fraction
          wait.first ??= { fraction, atMs: clock.elapsedMs() }
        },
        done: end,
        fail: end,
      }
    },
    current() {
      const nowMs = clock.elapsedMs()
      const all = Array.from(open, (wait) => waitingOf(wait, nowMs))
      // a model is fetched while it is opened: that one says more
      const measured = all.filter(({ percent }) => percent !== undefined)
      const told = measured.length > 0 ? measured : all
      return told.sort((one, other) => other.secondsLeft - one.secondsLeft)[0]
    },
    waitedMs,
  }
}

function waitingOf(wait: OpenWait, nowMs: number): WaitedFor {
  const { what, fraction, stopsAll } = wait
  return {
    what,
    secondsLeft: msLeft(wait, nowMs) / 1000,
    ...(fraction !== undefined && { percent: Math.floor(fraction * percents) }),
    ...(stopsAll && { stopsAll }),
  }
}

/** Of what does not say how much of it is there nothing better is known than that it lasts as long again. */
function msLeft({ sinceMs, first, fraction }: OpenWait, nowMs: number): number {
  if (!first || fraction === undefined) return nowMs - sinceMs
  const gained = fraction - first.fraction
  if (gained <= 0) return Math.max(unmeasuredMs, nowMs - sinceMs)
  return ((1 - fraction) * (nowMs - first.atMs)) / gained
}

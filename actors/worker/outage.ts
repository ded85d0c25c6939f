import { awayCodeOf } from '../failure.ts'
import type { AwayCode } from '../failure.ts'
import type { Log } from '../ports.ts'
import type { Waits } from './waits.ts'

/** Whether something that work needs is away. While it is, no such work is taken up: it would only come back undone. */
export interface Outage {
  isOn(): boolean
  /** Told of every piece of work that was not done, or that cannot be left before what it met is back. */
  readonly suspect: (error: unknown) => void
  stop(): void
}

interface OutageOptions {
  /** For people. */
  readonly what: string
  readonly code: AwayCode
  /** Rejects for as long as it is away. */
  readonly check: () => Promise<void>
  readonly waits: Pick<Waits, 'start'>
  /** See `MarkPorts`. */
  readonly pauseAfter: (failures: number, signal: AbortSignal) => Promise<void>
  readonly log: Log
}

/** Begins with work that failed for it, not with a check of our own, and ends with a check: what is needed is asked for only then. */
export function watchOutage({ what, code, check, waits, pauseAfter, log }: OutageOptions): Outage {
  const stopping = new AbortController()
  const { signal } = stopping
  let probing: Promise<void> | undefined

  const isBack = async (): Promise<boolean> => {
    try {
      await check()
      return true
    } catch (error) {
      // whatever is wrong with it: the work will say so when it passes
      if (awayCodeOf(error) === undefined) log.warn('a dependency could not be checked', { what, error })
      return awayCodeOf(error) === undefined
    }
  }
  const probe = async (): Promise<void> => {
    const wait = waits.start(what, { stopsAll: true })
    for (let failures = 1; ; failures += 1) {
      await pauseAfter(failures, signal)
      if (signal.aborted || (await isBack())) break
    }
    wait.done()
    probing = undefined
    if (!signal.aborted) log.info('a dependency is back; work goes on', { what })
  }
  return {
    isOn: () => probing !== undefined,
    suspect(error) {
      if (probing || signal.aborted || awayCodeOf(error) !== code) return
      log.warn('a dependency is away; no work is taken up until it is back', { what, error })
      probing = probe()
    },
    stop: () => stopping.abort(),
  }
}

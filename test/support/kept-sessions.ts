import { openBuckets } from '../../actors/bucket.ts'
import type { Timer } from '../../actors/ports.ts'
import { newSessionId } from '../../infra/ids/session-ids.ts'
import { systemClock } from '../../infra/timing/clock.ts'
import { systemTimer } from '../../infra/timing/timer.ts'
import { openKeptSessions } from '../../realtime/kept/kept-sessions.ts'
import type { KeptSessions } from '../../realtime/kept/kept-sessions.ts'
import { memoryRecords } from './memory-records.ts'
import { silentLog } from './silent-log.ts'

type SealedRecords = Parameters<typeof openKeptSessions>[0]['records']

interface KeptOptions {
  readonly records?: SealedRecords
  readonly timer?: Timer
  /** Of each user, at once and a second. */
  readonly bytes?: number
}

/** Where sessions are kept, on records of this process unless others are given. */
export function someKeptSessions(options: KeptOptions = {}): KeptSessions {
  const { records = sealedRecords(), timer = systemTimer, bytes = 1_000_000 } = options
  return openKeptSessions({
    records,
    budget: openBuckets({ perSecond: bytes, burst: bytes }, systemClock),
    timer,
    clock: systemClock,
    newId: newSessionId,
    log: silentLog,
  })
}

export function sealedRecords(): SealedRecords {
  return memoryRecords()
}

/** Ends every wait when the test says so. */
export function aTimer(): Timer & { readonly waitsMs: readonly number[]; readonly end: () => void } {
  const waiting = new Map<() => void, number>()
  return {
    get waitsMs() {
      return [...waiting.values()]
    },
    after(ms, run) {
      waiting.set(run, ms)
      return () => waiting.delete(run)
    },
    end() {
      const due = [...waiting.keys()]
      waiting.clear()
      for (const run of due) run()
    },
  }
}

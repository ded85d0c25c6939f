import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import { createRandom } from '../sim/random.ts'
import type { ChaosBreak } from './breaks.ts'
import { checkBudget } from './check/budget.ts'
import type { Calls } from './check/budget.ts'
import { checkEnding } from './check/ending.ts'
import { openTap } from './check/tap.ts'
import { startCrowd } from './clients/crowd.ts'
import { createLedger } from './clients/ledger.ts'
import type { Ledger } from './clients/ledger.ts'
import { createHistory } from './history.ts'
import type { History } from './history.ts'
import { torment } from './nemesis/nemesis.ts'
import { planFaults } from './nemesis/plan.ts'
import type { FaultKind } from './nemesis/plan.ts'
import { openObserver } from './rig/observer.ts'
import type { Observer } from './rig/observer.ts'
import { startRig } from './rig/rig.ts'
import type { RigProfile, Rig } from './rig/rig.ts'

export interface ChaosOptions {
  readonly profile: RigProfile
  readonly seed: number
  readonly minutes: number
  readonly kinds: readonly FaultKind[]
  readonly users: number
  /** How many chunks take about a second to hear. */
  readonly slowShare?: number
  /** For how long nothing may move after the last fault before everything has ended. */
  readonly drainSeconds: number
  readonly broken?: ChaosBreak | undefined
  /** One gateway and one worker are of the last release. */
  readonly isMixed?: boolean
  /** Rejects when somebody wants it to end at once. */
  readonly interrupted?: Promise<never>
  /** Told what goes on. */
  readonly say: (line: string) => void
}

export interface ChaosRun {
  readonly options: ChaosOptions
  readonly startedAt: Date
  readonly history: History
  readonly counts: RunCounts
  /** When the last fault was over, and when everything had ended, since the rig was ready. */
  readonly healedMs: number
  readonly endedMs: number
}

interface RunCounts {
  readonly batches: number
  readonly files: number
  readonly deleted: number
  readonly calls: Calls
  readonly changesSeen: number
  readonly resultsSeen: number
}

const sampleMs = 1000
const stallMs = 500
const minuteMs = 60_000

/** One run: start everything, let users and faults loose, heal, wait, and look whether anything is wrong. */
export async function runChaos(options: ChaosOptions): Promise<ChaosRun> {
  const folder = await mkdtemp(join(tmpdir(), 'vaak-chaos-'))
  const startedAt = new Date()
  let history: History | undefined
  const events = {
    crashed: (name: string, how: string) => history?.complain('processes', `${name} ended by itself: ${how}`),
    complained: (name: string, line: string) => history?.note(`${name}: ${line}`),
  }
  options.say(`starting: ${options.profile}, seed ${options.seed}, ${options.minutes} minutes; logs in ${folder}/logs`)
  const rig = await startRig({ ...options, folder, events })
  const observer = await openObserver(rig.broker)
  try {
    history = createHistory()
    const living = live({ ...options, rig, observer, history })
    const { interrupted } = options
    return { options, startedAt, history, ...(await (interrupted ? Promise.race([living, interrupted]) : living)) }
  } finally {
    await observer.close()
    await rig.close()
    if (history && history.complaints.length === 0) await rm(folder, { recursive: true, force: true })
  }
}

interface Living extends ChaosOptions {
  readonly rig: Rig
  readonly observer: Observer
  readonly history: History
}

async function live(input: Living): Promise<Pick<ChaosRun, 'counts' | 'healedMs' | 'endedMs'>> {
  const { rig, observer, history, seed, say, profile, isMixed = false } = input
  const ledger = createLedger(history)
  const taken = new Set<string>()
  let copies = 0
  const tap = await openTap({ observer, history, taken, objectsFolder: join(rig.disk.folder, 'objects') })
  const crowd = await startCrowd({ ...input, ledger, progress: () => tap.seen + ledger.answered() + ledger.files.size })
  const sampling = keepSampling(input, ledger)
  const plan = planFaults({ seed, forMs: input.minutes * minuteMs, kinds: input.kinds })
  say(`ready: ${plan.length} faults to come`)
  const scene = {
    rig,
    observer,
    taken,
    random: createRandom(seed, 'targets'),
    rush: () => crowd.rush(),
    copied: (subject: string) => {
      if (subject.startsWith('asr.chunk')) copies += 1
    },
  }
  await Promise.all([torment(plan, scene, { history, say }), pause(input.minutes * minuteMs)])
  await rig.heal()
  const healedMs = history.nowMs()
  say(`${history.operations.length} operations, ${history.faults.length} faults; healed, waiting for the end`)
  await crowd.end(input.drainSeconds)
  const endedMs = history.nowMs()
  const { stalls } = sampling.stop()
  await checkEnding({ rig, observer, ledger, history, isMixed })
  await crowd.lookBack()
  const resultsSeen = await tap.checkResults()
  tap.checkMissed()
  await tap.close()
  const calls = await checkBudget({ rig, ledger, history, profile, copies, stalls })
  const deleted = [...ledger.files.values()].filter(({ life }) => life === 'deleted').length
  return {
    healedMs,
    endedMs,
    counts: {
      batches: ledger.batches.size,
      files: ledger.files.size,
      deleted,
      calls,
      resultsSeen,
      changesSeen: tap.seen,
    },
  }
}

/** A machine that is too busy holds up the links, as a fault would. */
function keepSampling(input: Living, ledger: Ledger): { stop(): { stalls: number } } {
  let stalls = 0
  let dueMs = performance.now() + sampleMs
  const timer = setInterval(() => {
    if (performance.now() - dueMs > stallMs) stalls += 1
    dueMs = performance.now() + sampleMs
    void sample(input, ledger)
  }, sampleMs)
  return {
    stop() {
      clearInterval(timer)
      if (stalls > 0) input.history.note(`this machine was so busy that the rig itself stood still ${stalls} times`)
      return { stalls }
    },
  }
}

async function sample({ observer, history }: Living, ledger: Ledger): Promise<void> {
  const atMs = history.nowMs()
  const queues = await observer.queues().catch(() => undefined)
  const openBatches = [...ledger.batches.values()].filter(({ ended }) => ended === undefined).length
  if (queues) history.sampled({ atMs, openBatches, waiting: queues.reduce((sum, { messages }) => sum + messages, 0) })
}

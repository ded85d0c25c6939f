import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import { createRandom } from '../sim/random.ts'
import type { Break } from './breaks.ts'
import { checkBudget } from './check/budget.ts'
import type { Calls } from './check/budget.ts'
import { checkEnding } from './check/ending.ts'
import { checkListing } from './check/listing.ts'
import { openTap } from './check/tap.ts'
import { openCaller } from './clients/caller.ts'
import type { Caller } from './clients/caller.ts'
import { createLedger } from './clients/ledger.ts'
import type { Ledger } from './clients/ledger.ts'
import { mustBeGone, oneRound, readThrough } from './clients/user.ts'
import type { UserOptions } from './clients/user.ts'
import { createHistory } from './history.ts'
import type { History } from './history.ts'
import { torment } from './nemesis/nemesis.ts'
import { planFaults } from './nemesis/plan.ts'
import type { FaultKind } from './nemesis/plan.ts'
import { openObserver } from './rig/observer.ts'
import type { Observer } from './rig/observer.ts'
import { startRig } from './rig/rig.ts'
import type { Profile, Rig } from './rig/rig.ts'

export interface ChaosOptions {
  readonly profile: Profile
  readonly seed: number
  readonly minutes: number
  readonly kinds: readonly FaultKind[]
  readonly users: number
  /** How long everything may take to end after the last fault. */
  readonly drainSeconds: number
  readonly broken?: Break | undefined
  /** Told what goes on. */
  readonly say: (line: string) => void
}

export interface ChaosRun {
  readonly options: ChaosOptions
  readonly startedAt: Date
  readonly history: History
  readonly counts: Counts
  /** When the last fault was over, and when everything had ended, since the rig was ready. */
  readonly healedMs: number
  readonly endedMs: number
}

export interface Counts {
  readonly batches: number
  readonly files: number
  readonly deleted: number
  readonly calls: Calls
  readonly changesSeen: number
  readonly resultsSeen: number
}

const sampleMs = 1000
const stallMs = 500
const soundsPerUser = 1_000_000
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
    return { options, startedAt, history, ...(await live({ ...options, rig, observer, history })) }
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

async function live(of: Living): Promise<Pick<ChaosRun, 'counts' | 'healedMs' | 'endedMs'>> {
  const { rig, observer, history, seed, say, profile } = of
  const ledger = createLedger(history)
  const taken = new Set<string>()
  let copies = 0
  const tap = await openTap({ observer, history, taken, objectsFolder: join(rig.disk.folder, 'objects') })
  const crowd = await startCrowd(of, ledger)
  const sampling = keepSampling(of, ledger)
  const plan = planFaults({ seed, forMs: of.minutes * minuteMs, kinds: of.kinds })
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
  await Promise.all([torment(plan, scene, history), pause(of.minutes * minuteMs)])
  await rig.heal()
  const healedMs = history.nowMs()
  say(`${history.operations.length} operations, ${history.faults.length} faults; healed, waiting for the end`)
  await crowd.end(of.drainSeconds)
  const endedMs = history.nowMs()
  const { stalls } = sampling.stop()
  await checkEnding({ rig, observer, ledger, history })
  const callers = await crowd.comeBack()
  for (const caller of callers) await lookBack(caller, { ledger, history })
  const resultsSeen = await tap.checkResults()
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
function keepSampling(of: Living, ledger: Ledger): { stop(): { stalls: number } } {
  let stalls = 0
  let dueMs = performance.now() + sampleMs
  const timer = setInterval(() => {
    if (performance.now() - dueMs > stallMs) stalls += 1
    dueMs = performance.now() + sampleMs
    void sample(of, ledger)
  }, sampleMs)
  return {
    stop() {
      clearInterval(timer)
      if (stalls > 0) of.history.note(`this machine was so busy that the rig itself stood still ${stalls} times`)
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

interface Crowd {
  /** Everybody sends more at once. */
  rush(): void
  /** Nobody begins anything new; resolves when everything that was begun has ended or time is up. */
  end(withinSeconds: number): Promise<void>
  /** The same users once more, for a last look. */
  comeBack(): Promise<Caller[]>
}

const rushRounds = 3

async function startCrowd(of: Living, ledger: Ledger): Promise<Crowd> {
  const { rig, history, seed } = of
  let isEnding = false
  let deadlineMs = Infinity
  const isOver = (): boolean => history.nowMs() > deadlineMs
  const isClosing = (): boolean => isEnding
  const rounds = new Set<Promise<void>>()
  const users = await Promise.all(
    Array.from({ length: of.users }, async (_, index): Promise<UserOptions & { nextKey: () => string }> => {
      const user = `user-${index + 1}`
      const random = createRandom(seed, user)
      const caller = openCaller({
        user,
        token: await rig.tokenOf(user),
        gateways: rig.gateways,
        random,
        history,
        isOver,
      })
      let sounds = index * soundsPerUser
      let keys = 0
      const nextKey = (): string => `${user}-${(keys += 1)}`
      return { caller, random, ledger, history, isOver, nextSound: () => (sounds += 1), nextKey }
    }),
  )
  const start = (user: (typeof users)[number]): Promise<void> => {
    const round = oneRound(user, user.nextKey())
    rounds.add(round)
    return round.finally(() => rounds.delete(round))
  }
  const loops = users.map(async (user) => {
    while (!isClosing()) await start(user)
  })
  return {
    rush() {
      for (const user of users) for (let times = 0; times < rushRounds; times += 1) void start(user)
    },
    async end(withinSeconds) {
      isEnding = true
      deadlineMs = history.nowMs() + withinSeconds * 1000
      await Promise.all(loops)
      while (rounds.size > 0) await Promise.all(rounds)
      if (isOver()) history.complain('live', `not everything had ended ${withinSeconds} s after the last fault`)
    },
    async comeBack() {
      deadlineMs = history.nowMs() + of.drainSeconds * 1000
      return users.map(({ caller }) => caller)
    },
  }
}

/** What was shown is still shown, and what was deleted still is not. */
async function lookBack(caller: Caller, { ledger, history }: { ledger: Ledger; history: History }): Promise<void> {
  const random = createRandom(0, caller.user)
  const own = [...ledger.batches.values()].filter(({ user }) => user === caller.user)
  for (const { batchId, fileIds } of own) {
    const status = await caller.insist({ verb: 'status', method: 'GET', path: `/transcribe/status/batch/${batchId}` })
    if (status?.status === 200) ledger.sawBatch(batchId, status.body.status)
    await readThrough({ caller, random, ledger, history, isOver: () => false }, batchId)
    for (const fileId of fileIds)
      if (ledger.files.get(fileId)?.life === 'deleted') await mustBeGone({ caller, history }, { fileId, batchId })
  }
  await checkListing(caller, { ledger, history })
}

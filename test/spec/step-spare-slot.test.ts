import test from 'ava'

import { putOff } from '../../actors/run/fetched.ts'
import { runStep } from '../../actors/run/steps.ts'
import type { StepPorts } from '../../actors/run/steps.ts'
import { noFaults } from '../../infra/process/faults.ts'
import { systemClock } from '../../infra/timing/clock.ts'
import { systemTimer } from '../../infra/timing/timer.ts'
import { aRun } from '../support/batch-builders.ts'
import { aManualClock } from '../support/manual-clock.ts'
import { silentLog } from '../support/silent-log.ts'

const options = { retry: { intervalsMs: [], jitter: 0 }, deathsMax: 3, newsAfterMs: 1_000 }

interface Delivery {
  readonly isSpare: boolean
  readonly isPatient: boolean
  readonly seconds?: number
}

/** A plan that is delivered: whether it was begun, and what was enqueued instead. */
async function delivered({ isSpare, isPatient, seconds = 10 }: Delivery) {
  const file = { ...aRun({ phase: 'queued' }), estimatedSeconds: seconds }
  const enqueued: { readonly delayMs: number }[] = []
  let planned = 0
  const ports = {
    clock: systemClock,
    timer: systemTimer,
    faults: noFaults,
    log: silentLog,
    run: { look: async () => file, tell: async () => file },
    isWanted: async () => true,
    keepSent: () => undefined,
    nextMarkId: () => 'a-mark',
    isPatient: () => isPatient,
    admitMeasured: async () => undefined,
    quarantine: { pass: (_: unknown, work: () => Promise<unknown>) => work() },
    fileQueue: { enqueue: async (_: unknown, how: { delayMs: number }) => void enqueued.push(how) },
    planner: {
      async plan() {
        planned += 1
        return { total: 2, seconds: 60 }
      },
    },
  } as unknown as StepPorts // as: a plan of an upload needs no more of them
  await runStep(
    { ports, options: options as unknown as Parameters<typeof runStep>[0]['options'] }, // as: nothing fails here
    {
      work: { ...file, step: 'plan', attempt: 1 },
      deliveries: 1,
      signal: new AbortController().signal,
      aside: (wait) => wait(),
      isSpare,
    },
  )
  return { planned, delays: enqueued.map(({ delayMs }) => delayMs > 0) }
}

test('a recording of who had much lately is put off from a slot that is kept for others', async (t) => {
  t.deepEqual(await delivered({ isSpare: true, isPatient: true }), { planned: 0, delays: [true] })
})

test('so is a long recording, whoever has it', async (t) => {
  const long = { isPatient: false, seconds: 60 }
  t.deepEqual(await delivered({ ...long, isSpare: true }), { planned: 0, delays: [true] })
  t.deepEqual(await delivered({ ...long, isSpare: false }), { planned: 1, delays: [] })
})

test('what was put off may be put off again at once, by whichever worker', async (t) => {
  const file = aRun({ phase: 'queued' })
  const stored = new Set<string>()
  let marks = 0
  const ports = {
    fileQueue: { enqueue: async (_: unknown, { id }: { readonly id: string }) => void stored.add(id) },
    nextMarkId: () => `mark-${(marks += 1)}`,
    clock: aManualClock(),
  }
  const delivery = {
    work: { ...file, step: 'plan' as const, attempt: 1 },
    deliveries: 1,
    signal: new AbortController().signal,
    aside: <Value>(wait: () => Promise<Value>) => wait(),
  }
  for (let times = 0; times < 2; times += 1) await putOff(ports, { file, delivered: delivery })
  t.is(stored.size, 2)
})

test('whoever had little is served there, and everybody in a slot of their own', async (t) => {
  t.deepEqual(await delivered({ isSpare: true, isPatient: false }), { planned: 1, delays: [] })
  t.deepEqual(await delivered({ isSpare: false, isPatient: true }), { planned: 1, delays: [] })
})

import test from 'ava'

import { runKey } from '../../actors/ids.ts'
import type { Purge } from '../../actors/purge/state.ts'
import { runActor } from '../../actors/run/actor.ts'
import type { RunPorts, RunWork } from '../../actors/run/ports.ts'
import type { RunState } from '../../actors/run/state.ts'
import { runStep } from '../../actors/run/steps.ts'
import type { StepPorts } from '../../actors/run/steps.ts'
import { fileQueue } from '../../infra/nats/queue/work-kinds.ts'
import { noFaults } from '../../infra/process/faults.ts'
import { systemTimer } from '../../infra/timing/timer.ts'
import { aRun, nowMs } from '../support/batch-builders.ts'
import { aManualClock } from '../support/manual-clock.ts'
import { aMemoryStorage } from '../support/memory-blobs.ts'
import { memoryRecords } from '../support/memory-records.ts'
import { silentLog } from '../support/silent-log.ts'

/** Two workers on the same records; what they enqueue travels as it does through the broker. */
function twoWorkers() {
  const enqueued: (RunWork | undefined)[] = []
  const ports: RunPorts = {
    runs: memoryRecords<RunState>(),
    fileQueue: {
      enqueue: async (work) => void enqueued.push(fileQueue.parse(JSON.parse(JSON.stringify(work)))),
      outstanding: async () => [],
    },
    chunkQueue: { enqueue: async () => undefined, outstanding: async () => [] },
    reports: { toFile: async () => undefined, toBatch: async () => undefined },
    purges: memoryRecords<Purge>(),
    blobs: aMemoryStorage().blobs,
    clock: aManualClock(),
    faults: noFaults,
    beginInquiries: async () => undefined,
  }
  const options = { window: 4, lostMax: 3, saveAudio: false }
  return { ports, enqueued, one: runActor({ ports, options }), other: runActor({ ports, options }) }
}

test('a file that was cancelled is not cut by a worker that saw it before that', async (t) => {
  const { ports, enqueued, one, other } = twoWorkers()
  const file = aRun({ phase: 'queued' })
  await ports.runs.create(runKey(file), file)
  await one.look(file)
  await other.tell(file, [{ type: 'Cancel', atMs: nowMs }])
  const [work] = enqueued
  let planned = 0
  const stepPorts = {
    ...ports,
    run: one,
    timer: systemTimer,
    log: silentLog,
    isWanted: async () => true,
    keepSent: () => undefined,
    admitMeasured: async () => undefined,
    quarantine: { pass: (_: unknown, pass: () => Promise<unknown>) => pass() },
    planner: {
      async plan() {
        planned += 1
        return { total: 1, seconds: 10 }
      },
    },
  } as unknown as StepPorts // as: a cancelled plan needs no more of them
  const options = { retry: { retriesMax: 0, intervalsMs: [] }, deathsMax: 3, newsAfterMs: 1_000, saveAudio: false }
  await runStep(
    { ports: stepPorts, options },
    {
      work: work!,
      deliveries: 1,
      signal: new AbortController().signal,
      aside: (wait) => wait(),
      isSpare: false,
    },
  )
  t.is(planned, 0)
  const ended = (await ports.runs.read(runKey(file)))?.value.progress
  t.like(ended, { phase: 'finished', outcome: 'failed', errors: [{ code: 'cancelled' }] })
})

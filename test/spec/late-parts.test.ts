import test from 'ava'

import { runKey } from '../../actors/ids.ts'
import type { Purge } from '../../actors/purge/state.ts'
import { runStep } from '../../actors/run/steps.ts'
import type { StepPorts } from '../../actors/run/steps.ts'
import { noFaults } from '../../infra/process/faults.ts'
import { systemClock } from '../../infra/timing/clock.ts'
import { systemTimer } from '../../infra/timing/timer.ts'
import { aRun, nowMs } from '../support/batch-builders.ts'
import { memoryRecords } from '../support/memory-records.ts'
import { silentLog } from '../support/silent-log.ts'

/** A plan that is delivered so often: the runs of which it is promised, when they are told anything, that they look once more. */
async function promisedBefore(input: { deliveries: number; mayBeForgotten?: boolean; saveAudio: boolean }) {
  const { saveAudio, ...delivered } = input
  const file = aRun({ phase: 'planning', attempt: 1, sinceMs: nowMs })
  const purges = memoryRecords<Purge>()
  let promised: readonly string[] | undefined
  const told = async () => {
    promised ??= await purges.keys()
    return file
  }
  const ports = {
    clock: systemClock,
    timer: systemTimer,
    faults: noFaults,
    log: silentLog,
    purges,
    run: { look: told, tell: told },
    runs: { read: async () => ({ value: file, revision: 1 }) },
    isWanted: async () => true,
    keepSent: () => undefined,
    admitMeasured: async () => undefined,
    quarantine: { pass: async () => ({ kind: 'done', value: { total: 2, seconds: 60 } }) },
  } as unknown as StepPorts // as: a plan of an upload needs no more of them
  await runStep(
    {
      ports,
      // as: nothing fails here
      options: { deathsMax: 3, newsAfterMs: 1_000, saveAudio } as unknown as Parameters<typeof runStep>[0]['options'],
    },
    {
      work: { ...file, step: 'plan', attempt: 1 },
      ...delivered,
      signal: new AbortController().signal,
      aside: (wait) => wait(),
      isSpare: false,
    },
  )
  return { promised, key: runKey(file) }
}

test('before anything is done with a file to cut that came again it is promised that its run looks once more what is left', async (t) => {
  const { promised, key } = await promisedBefore({ deliveries: 2, saveAudio: false })
  t.deepEqual(promised, [key])
})

test('so it is of one that comes for the first time, as far as a broker knows that was killed', async (t) => {
  const { promised, key } = await promisedBefore({ deliveries: 1, mayBeForgotten: true, saveAudio: false })
  t.deepEqual(promised, [key])
})

test('nothing is promised of a file that comes for the first time, or whose audio is kept', async (t) => {
  t.deepEqual((await promisedBefore({ deliveries: 1, saveAudio: false })).promised, [])
  t.deepEqual((await promisedBefore({ deliveries: 2, saveAudio: true })).promised, [])
})

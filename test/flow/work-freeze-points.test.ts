import test from 'ava'
import type { ExecutionContext } from 'ava'

import { workPoints } from '../../actors/fault-points.ts'
import type { FaultPoint } from '../../actors/fault-points.ts'
import { called, endsAsItShould, narrow, recordings, resultsOnDisk, slow } from '../support/crash-scene.ts'
import { eventually } from '../support/eventually.ts'
import { startTestNats } from '../support/nats.ts'
import type { TestNats } from '../support/nats.ts'
import { aPipeline } from '../support/pipeline.ts'
import type { Pipeline, Submitted } from '../support/pipeline.ts'
import type { VaakProcess } from '../support/processes.ts'

/**
 * Workers that stand still in the middle of their work until others have done it, and then go on with what they have in hand: they do
 * no harm. Several at once: nobody passes the point at which it stops, so each comes to its own.
 */

let nats: TestNats
test.before(async () => {
  nats = await startTestNats()
})
test.after.always(() => nats.stop())

const atOnce = 5
const startedWithinMs = 60_000
const wakes: FaultPoint = 'sweep.after-wake'
const points = workPoints.filter((point) => point !== wakes)
const groups = Array.from({ length: Math.ceil(points.length / atOnce) }, (_, at) =>
  points.slice(at * atOnce, (at + 1) * atOnce),
)

for (const group of groups)
  test.serial(`workers frozen at ${group.join(', ')} do no harm when they go on`, async (t) => {
    t.timeout(300_000)
    await frozenAndBack(t, group, recordings)
  })

test.serial(`a sweeper frozen at ${wakes} does no harm when it goes on`, async (t) => {
  t.timeout(300_000)
  await frozenAndBack(t, [wakes], [{ name: 'slow.wav', content: slow }])
})

async function frozenAndBack(
  t: ExecutionContext,
  group: readonly FaultPoint[],
  held: readonly (typeof recordings)[number][],
): Promise<void> {
  const pipeline = await aPipeline(t, nats, narrow)
  const workers = await Promise.all(group.map((point) => pipeline.startWorker({ FAULTS: `${point}:freeze` })))
  const batches = await untilAllAreFrozen(pipeline, workers, held)

  await pipeline.hireWorker()
  for (const batch of batches) await batch.finished()
  const before = await resultsOnDisk(pipeline, batches)
  for (const worker of workers) worker.signal('SIGCONT')

  // they have a hand in this one too
  await endsAsItShould(t, pipeline, await pipeline.submit(recordings))
  for (const worker of workers) t.is((await worker.stop()).code, 0)
  t.deepEqual(await resultsOnDisk(pipeline, batches), before)
  for (const batch of batches) {
    if (held === recordings) await endsAsItShould(t, pipeline, batch)
    t.is((await batch.status()).status, 'completed')
  }
}

/** Each of them works until it comes to its point; what there is may be done before all of them have. */
async function untilAllAreFrozen(
  pipeline: Pipeline,
  workers: readonly VaakProcess[],
  held: readonly (typeof recordings)[number][],
): Promise<Submitted[]> {
  const batches: Submitted[] = []
  const areFrozen = (): boolean => workers.every((worker) => worker.isFrozen())
  while (!areFrozen()) {
    const batch = await pipeline.submit(held, called)
    batches.push(batch)
    await eventually(
      'all stand still, or there is nothing left to do',
      async () => areFrozen() || (await batch.status()).status === 'completed',
      startedWithinMs,
    )
  }
  return batches
}

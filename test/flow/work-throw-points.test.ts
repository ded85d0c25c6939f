import test from 'ava'

import type { FaultPoint } from '../../actors/fault-points.ts'
import type { Faults } from '../../actors/ports.ts'
import { called, endsAsItShould, loseQueued, narrow, recordings, slow } from '../support/crash-scene.ts'
import { eventually } from '../support/eventually.ts'
import { pointsOf } from '../support/fault-scenes.ts'
import { aNatsServer, startTestNats } from '../support/nats.ts'
import type { TestNats } from '../support/nats.ts'
import { aPipeline } from '../support/pipeline.ts'

/** An error that nobody foresaw, at every step of the work: it is that step's, and the worker goes on. */

let nats: TestNats
test.before(async () => {
  nats = await startTestNats()
})
test.after.always(() => nats.stop())

test('an error that nobody foresaw changes nothing in the results, wherever it is thrown', async (t) => {
  t.timeout(300_000)
  const pipeline = await aPipeline(t, nats, narrow)
  const armed = new Set<FaultPoint>()
  await pipeline.addWorker(throwingAt(armed))
  for (const point of pointsOf('work')) {
    armed.add(point)
    const batch = await pipeline.submit(recordings, called)
    await endsAsItShould(t, pipeline, batch)
    // whoever is told of the end is called after it
    await eventually(`somebody comes to ${point}`, () => !armed.has(point))
    t.is((await batch.status()).status, 'completed', point)
  }
})

for (const point of pointsOf('sweep'))
  test(`an error that nobody foresaw at ${point} changes nothing in the results`, async (t) => {
    // a server of its own: what others are told there is lost
    const own = await aNatsServer(t)
    const pipeline = await aPipeline(t, own, narrow)
    const armed = new Set<FaultPoint>([point])
    const batch = await pipeline.submit([{ name: 'slow.wav', content: slow }])
    await loseQueued(own)
    await pipeline.addWorker(throwingAt(armed))
    await batch.finished()
    t.false(armed.has(point), `nobody came to ${point}`)
  })

function throwingAt(armed: Set<FaultPoint>): Faults {
  return {
    async point(at) {
      if (!armed.delete(at)) return
      throw new Error(`a test throws at ${at}`)
    },
  }
}

import test from 'ava'

import type { FaultPoint } from '../../actors/fault-points.ts'
import { called, endsAsItShould, narrow, recordings, slow } from '../support/crash-scene.ts'
import { pointsOf } from '../support/fault-scenes.ts'
import { startTestNats } from '../support/nats.ts'
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
  await pipeline.addWorker({
    async point(at) {
      if (!armed.delete(at)) return
      throw new Error(`a test throws at ${at}`)
    },
  })
  const sweeps = pointsOf('sweep')
  for (const point of [...pointsOf('work'), ...sweeps]) {
    armed.add(point)
    const isSwept = sweeps.includes(point)
    const batch = await pipeline.submit(isSwept ? [{ name: 'slow.wav', content: slow }] : recordings, called)
    if (isSwept) await batch.finished()
    else await endsAsItShould(t, pipeline, batch)
    t.false(armed.has(point), `nobody came to ${point}`)
    t.is((await batch.status()).status, 'completed', point)
  }
})

import test from 'ava'
import type { ExecutionContext } from 'ava'

import type { FaultPoint } from '../../actors/fault-points.ts'
import {
  called,
  endsAsItShould,
  loseQueued,
  narrow,
  storedObjects,
  recordings,
  slow,
  untilNothingIsToDo,
} from '../support/crash-scene.ts'
import { eventually } from '../support/eventually.ts'
import { pointsOf } from '../support/fault-scenes.ts'
import { isFrozen } from '../support/frozen.ts'
import { startTestNats } from '../support/nats.ts'
import type { TestNats } from '../support/nats.ts'
import { aPipeline } from '../support/pipeline.ts'
import type { Pipeline, SubmittedBatch } from '../support/pipeline.ts'
import { textsOf } from '../support/scripted-speech.ts'

/** Workers that stand still at every step of the work until another has done it, and then go on with what they have in hand. */

let nats: TestNats
test.before(async () => {
  nats = await startTestNats()
})
test.after.always(() => nats.stop())

const stepsMs = 60_000

for (const point of pointsOf('work'))
  test.serial(
    `a worker frozen at ${point} changes nothing when it goes on after another has done its work`,
    async (t) => {
      const pipeline = await aPipeline(t, nats, narrow)
      await frozenAndBack(t, pipeline, {
        point,
        submit: () => pipeline.submit(recordings, called),
        isAsItShould: (batch) => endsAsItShould(t, pipeline, batch),
      })
    },
  )

for (const point of pointsOf('sweep'))
  test.serial(`a sweeper frozen at ${point} changes nothing when it goes on`, async (t) => {
    const pipeline = await aPipeline(t, nats, narrow)
    const lost = await pipeline.submit([{ name: 'slow.wav', content: slow }])
    await loseQueued(nats)
    await frozenAndBack(t, pipeline, {
      point,
      submit: () => Promise.resolve(lost),
      async isAsItShould(batch) {
        const [file] = (await batch.finished()).files
        t.is(file.result.text, textsOf(slow).join(' '))
      },
    })
  })

interface Scene {
  readonly point: FaultPoint
  submit(): Promise<SubmittedBatch>
  isAsItShould(batch: SubmittedBatch): Promise<void>
}

async function frozenAndBack(t: ExecutionContext, pipeline: Pipeline, scene: Scene): Promise<void> {
  t.timeout(5 * stepsMs)
  const frozen = await pipeline.startWorker({
    FAULTS: `${scene.point}:freeze`,
    // told to stop, it ends what it has in hand however slow the machine is
    SHUTDOWN_SECONDS: '60',
  })
  const batch = await scene.submit()
  await eventually(`a worker stands still at ${scene.point}`, () => isFrozen(frozen.pid), stepsMs)

  await pipeline.addWorker()
  await scene.isAsItShould(batch)
  // also what it had in hand was done by the other
  await untilNothingIsToDo(nats)
  const before = {
    results: await batch.results(),
    status: await batch.status(),
    objects: await storedObjects(pipeline, batch),
  }
  t.true(before.objects.length > 0)

  frozen.signal('SIGCONT')
  t.deepEqual(await frozen.stop(), { code: 0, signal: null }, 'it ends in order, and with it what it had in hand')
  await untilNothingIsToDo(nats)
  await scene.isAsItShould(batch)
  t.deepEqual(await batch.results(), before.results)
  t.deepEqual(await batch.status(), before.status)
  t.deepEqual(await storedObjects(pipeline, batch), before.objects)
}

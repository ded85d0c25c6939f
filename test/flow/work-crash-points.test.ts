import test from 'ava'

import {
  called,
  endsAsItShould,
  leavesNothingOpen,
  loseQueued,
  narrow,
  recordings,
  saysWhatWasSaid,
  shortPoints,
  shortRecordings,
  slow,
} from '../support/crash-scene.ts'
import { eventually } from '../support/eventually.ts'
import { pointsOf } from '../support/fault-scenes.ts'
import { startTestNats } from '../support/nats.ts'
import type { TestNats } from '../support/nats.ts'
import { aPipeline } from '../support/pipeline.ts'
import { aScriptedRecording, scriptedSeconds, textsOf } from '../support/scripted-speech.ts'

/** Processes that die at every step of the work, and what the others make of it: the same results, once. */

let nats: TestNats
test.before(async () => {
  nats = await startTestNats()
})
test.after.always(() => nats.stop())

for (const point of pointsOf('work'))
  test.serial(`a worker killed at ${point} changes nothing in the results`, async (t) => {
    const pipeline = await aPipeline(t, nats, narrow)
    const batch = await pipeline.submit(recordings, called)
    const dying = await pipeline.startWorker({ FAULTS: `${point}:kill` })
    t.is((await dying.ended).signal, 'SIGKILL')
    await pipeline.addWorker()
    await endsAsItShould(t, pipeline, batch)
  })

for (const point of shortPoints)
  test.serial(`a worker killed at ${point} of short files changes nothing in the results`, async (t) => {
    const pipeline = await aPipeline(t, nats, { ...narrow, NEWS_AFTER_MS: '1000' })
    const batch = await pipeline.submit(shortRecordings, called)
    const dying = await pipeline.startWorker({ FAULTS: `${point}:kill` })
    t.is((await dying.ended).signal, 'SIGKILL')
    await pipeline.addWorker()
    await saysWhatWasSaid(t, batch, shortRecordings)
    await leavesNothingOpen(t, pipeline, batch)
  })

for (const point of pointsOf('sweep'))
  test.serial(`a sweeper killed at ${point} changes nothing in the results`, async (t) => {
    const pipeline = await aPipeline(t, nats, narrow)
    const batch = await pipeline.submit([{ name: 'slow.wav', content: slow }])
    await loseQueued(nats)
    const dying = await pipeline.startWorker({ FAULTS: `${point}:kill` })
    t.is((await dying.ended).signal, 'SIGKILL')
    await pipeline.addWorker()
    const [file] = (await batch.finished()).files
    t.is(file.result.text, textsOf(slow).join(' '))
  })

test.serial('a broker that is killed and comes back in the middle changes nothing in the results', async (t) => {
  const own = await startTestNats()
  t.teardown(() => own.stop())
  const pipeline = await aPipeline(t, own, narrow)
  await pipeline.startWorker()
  const batch = await pipeline.submit(recordings)
  await eventually('it has begun', async () => (await batch.status()).status === 'processing')
  await own.restart()
  await endsAsItShould(t, pipeline, batch)
})

test.serial('a recording that kills its worker each time is given up, and its neighbours are not', async (t) => {
  const pipeline = await aPipeline(t, nats, { WORKER_DEATHS_MAX: '2', FILE_WINDOW: '8' })
  const deadly = aScriptedRecording([
    ...scriptedSeconds(3, 200),
    { audio: 300, commands: [{ stage: 'transcribe', act: 'kill' }] },
    ...scriptedSeconds(3, 400),
  ])
  const batch = await pipeline.submit([{ name: 'deadly.wav', content: deadly }])
  const finished = batch.finished()
  const over = finished.then(() => 'over').catch(() => 'over')
  for (let ending: unknown; ending !== 'over';) {
    const worker = await pipeline.startWorker()
    ending = await Promise.race([worker.ended, over])
  }
  const [file] = (await finished).files
  t.is(file.status, 'partial')
  t.deepEqual(
    file.errors.map((error: { chunk_index: number; code: string }) => [error.chunk_index, error.code]),
    [[3, 'worker_lost']],
  )
  t.is(
    file.result.text,
    textsOf(deadly)
      .filter((_, index) => index !== 3)
      .join(' '),
  )
})

import test from 'ava'

import { workPoints } from '../../actors/fault-points.ts'
import { batchesIn } from '../support/batches.ts'
import { eventually } from '../support/eventually.ts'
import { startTestNats } from '../support/nats.ts'
import type { TestNats } from '../support/nats.ts'
import { aPipeline } from '../support/pipeline.ts'
import type { Pipeline, Submitted } from '../support/pipeline.ts'
import { ownerOf } from '../support/service.ts'
import { aScriptedRecording, scriptedSeconds, textsOf } from '../support/scripted-speech.ts'

/** Processes that die at every step of the work, and what the others make of it: the same results, once. */

let nats: TestNats
test.before(async () => {
  nats = await startTestNats()
})
test.after.always(() => nats.stop())

const recordings = [
  {
    name: 'one.wav',
    content: aScriptedRecording([
      ...scriptedSeconds(4),
      { sound: 50, commands: [{ stage: 'hear', act: 'retryable', times: 1 }] },
    ]),
  },
  { name: 'two.wav', content: aScriptedRecording(scriptedSeconds(2, 100)) },
]
/** Smaller than what there is, so that files and chunks are issued bit by bit. */
const narrow = {
  FILE_WINDOW: '2',
  BATCH_WINDOW: '1',
  QUOTA_FILES: '100',
  REMOTE_ALLOW_PRIVATE: '127.0.0.1',
  REMOTE_PORTS: '9',
}
/** Somebody who is to be called at the end, and is not there. */
const called = { callback_url: 'http://127.0.0.1:9/' }

for (const point of workPoints.filter((one) => !one.startsWith('sweep.')))
  test.serial(`a worker killed at ${point} changes nothing in the results`, async (t) => {
    const pipeline = await aPipeline(t, nats, narrow)
    const batch = await pipeline.submit(recordings, called)
    const dying = await pipeline.startWorker({ FAULTS: `${point}:kill` })
    t.is((await dying.ended).signal, 'SIGKILL')
    await pipeline.startWorker()
    await endsAsItShould(t, pipeline, batch)
  })

test.serial('a sweeper killed at sweep.after-wake changes nothing in the results', async (t) => {
  const pipeline = await aPipeline(t, nats, narrow)
  const slow = aScriptedRecording([{ sound: 60, commands: [{ stage: 'hear', act: 'wait', ms: 6000 }] }])
  const batch = await pipeline.submit([{ name: 'slow.wav', content: slow }])
  const dying = await pipeline.startWorker({ FAULTS: 'sweep.after-wake:kill' })
  t.is((await dying.ended).signal, 'SIGKILL')
  await pipeline.startWorker()
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
    { sound: 300, commands: [{ stage: 'hear', act: 'kill' }] },
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

async function endsAsItShould(
  t: { is(actual: unknown, expected: unknown): unknown; deepEqual(actual: unknown, expected: unknown): unknown },
  pipeline: Pipeline,
  batch: Submitted,
): Promise<void> {
  const { files } = await batch.finished()
  t.deepEqual(
    files.map((file: { status: string; result: { text: string } }) => [file.status, file.result.text]),
    recordings.map(({ content }) => ['completed', textsOf(content).join(' ')]),
  )
  t.is((await batch.status()).status, 'completed')
  const { quotas, open } = await batchesIn({ nats: pipeline.nats, dataDir: pipeline.dataDir })
  await eventually('the quota is given back and nothing is open', async () => {
    const reserved = (await quotas.read(ownerOf('asha')))?.value.reserved ?? {}
    return Object.keys(reserved).length === 0 && (await open.keys()).length === 0
  })
}

import { join } from 'node:path'

import test from 'ava'
import type { ExecutionContext } from 'ava'

import type { ApiAnswer } from '../support/api.ts'
import { eventually } from '../support/eventually.ts'
import { startTestNats } from '../support/nats.ts'
import type { TestNats } from '../support/nats.ts'
import { aPipeline } from '../support/pipeline.ts'
import type { SubmittedBatch } from '../support/pipeline.ts'
import { aScriptedRecording, scriptedSeconds, textsOf } from '../support/scripted-speech.ts'
import { aSmallDisk, testWithSmallDisk } from '../support/small-disk.ts'
import { fillDisk, outages } from '../support/storage-outages.ts'

/** Storage goes for longer than all retries take, under real workers with few of them, and comes back. */

const testOnSmallDisk = await testWithSmallDisk()

let nats: TestNats
test.before(async () => {
  nats = await startTestNats()
})
test.after.always(() => nats.stop())

/** All of them are over in a fraction of a second. */
const fewRetries = { CHUNK_MAX_RETRIES: '1', FILE_MAX_RETRIES: '1', WORKER_DEATHS_MAX: '2' }
const outlastedSeconds = 4
const filesCount = 12
const mebibyte = 1024 * 1024

const recordings = Array.from({ length: filesCount }, (_, file) => ({
  name: `${file}.wav`,
  content: aScriptedRecording(scriptedSeconds(6, 1 + file * 100)),
}))
/** They are in hand when it happens. */
const slow = Array.from({ length: filesCount }, (_, file) => ({
  name: `${file}.wav`,
  content: aScriptedRecording(
    Array.from({ length: 6 }, (_second, at) => ({
      audio: 5000 + file * 100 + at,
      commands: [{ stage: 'transcribe', act: 'wait', ms: 150 }],
    })),
  ),
}))

for (const [how, takeAway] of Object.entries(outages)) {
  test.serial(`files that were not begun wait while storage has ${how}, and all complete`, async (t) => {
    const { submit, addWorker, dataDir } = await aPipeline(t, nats, fewRetries)
    const batch = await submit(recordings)
    const giveBack = await takeAway(join(dataDir, 'objects'))
    // it has never seen the store: that there is one the broker knows
    await addWorker()
    await outlasted(batch)
    await giveBack()
    await allComplete(t, batch, recordings)
  })

  test.serial(`files that are under way when storage has ${how} go on when it is back, and all complete`, async (t) => {
    const { submit, addWorker, dataDir } = await aPipeline(t, nats, fewRetries)
    await addWorker()
    await addWorker()
    const batch = await submit(slow)
    await eventually('some are done', async () => (await batch.status()).files_completed > 0)
    const giveBack = await takeAway(join(dataDir, 'objects'))
    await outlasted(batch)
    await giveBack()
    await allComplete(t, batch, slow)
  })
}

test.serial('who is given only work that others handed back says too that it waits for storage', async (t) => {
  const { submit, addWorker, dataDir } = await aPipeline(t, nats, fewRetries)
  const batch = await submit(recordings)
  const giveBack = await outages.vanished(join(dataDir, 'objects'))
  const first = await addWorker()
  await outlasted(batch)
  await first.close()
  await eventually('it says nothing any more', async () => (await batch.status()).waiting_for === undefined)
  await addWorker()
  await outlasted(batch)
  await giveBack()
  await allComplete(t, batch, recordings)
})

testOnSmallDisk.serial('files wait while storage is full, and all complete when there is room', async (t) => {
  const disk = await aSmallDisk(t, 32 * mebibyte)
  const { submit, addWorker } = await aPipeline(t, nats, {
    ...fewRetries,
    STORAGE_URL: `disk:${join(disk, 'objects')}`,
  })
  const batch = await submit(recordings)
  const makeRoom = await fillDisk(disk)
  await addWorker()
  await outlasted(batch)
  await makeRoom()
  await allComplete(t, batch, recordings)
})

/** The service itself says that it waits for storage, and since when: it expects as much again. */
async function outlasted(batch: SubmittedBatch): Promise<void> {
  await eventually('storage is waited for, and for longer than all retries take', async () => {
    const { waiting_for: waiting, estimated_completion_seconds: seconds } = await batch.status()
    return waiting?.what === 'storage' && seconds > outlastedSeconds
  })
}

async function allComplete(t: ExecutionContext, batch: SubmittedBatch, given: typeof recordings): Promise<void> {
  const { files } = await batch.finished()
  t.like(await batch.status(), { status: 'completed', files_completed: filesCount, files_failed: 0 })
  t.deepEqual(
    files.map((file: ApiAnswer['body']) => file.result?.text),
    given.map(({ content }) => textsOf(content).join(' ')),
  )
  const { jobs } = await batch.results('?raw=true&limit=200')
  t.deepEqual(
    jobs.filter((job: ApiAnswer['body']) => job.attempts > 1).map((job: ApiAnswer['body']) => job.job_id),
    [],
    'nothing counts as an attempt that failed',
  )
}

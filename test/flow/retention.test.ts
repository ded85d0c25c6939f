import test from 'ava'

import { eventually } from '../support/eventually.ts'
import { startTestNats } from '../support/nats.ts'
import type { TestNats } from '../support/nats.ts'
import { objectsIn } from '../support/on-disk.ts'
import { aPipeline } from '../support/pipeline.ts'
import { aScriptedRecording, scriptedSeconds, textsOf } from '../support/scripted-speech.ts'

let nats: TestNats
test.beforeEach(async () => {
  nats = await startTestNats()
})
test.afterEach.always(() => nats.stop())

/** Over before anybody can look. */
const atOnce = '0.0000001'
const patienceMs = 60_000
const content = aScriptedRecording(scriptedSeconds(2))
const recording = { name: 'one.wav', content }

test.serial('recordings go when their time is over, and results say so', async (t) => {
  const pipeline = await aPipeline(t, nats)
  const { api } = pipeline
  const worker = await pipeline.addWorker()
  // the same bytes twice
  const batch = await pipeline.submit([recording, { name: 'again.wav', content }])
  await batch.finished()
  await worker.close()
  const [fileId] = batch.fileIds
  t.is((await api.get(`/transcribe/results/file/${fileId}`)).body.audio_expired, undefined)

  await pipeline.startWorker({ RETAIN_AUDIO_DAYS: atOnce })
  await eventually(
    'the recording is gone',
    async () => (await api.get(`/transcribe/results/file/${fileId}`)).body.audio_expired !== undefined,
    patienceMs,
  )
  const { body } = await api.get(`/transcribe/results/file/${fileId}`)
  t.regex(body.audio_expired, /no longer kept/)
  t.is(body.result.text, textsOf(content).join(' '))
  t.regex((await api.get(`/transcribe/status/file/${fileId}`)).body.audio_expired, /no longer kept/)
  t.regex((await batch.results()).files[0].audio_expired, /no longer kept/)
  await eventually('both are gone', async () => (await api.get('/files')).body.total_files === 0)
  await eventually('no sound is left', async () => {
    const objects = await objectsIn(pipeline.dataDir)
    return objects.every((path) => !path.includes('/uploads/') && !path.includes('/audio/'))
  })
})

test.serial('results go when their time is over, and their file says so', async (t) => {
  const pipeline = await aPipeline(t, nats)
  const worker = await pipeline.addWorker()
  const batch = await pipeline.submit([recording])
  await batch.finished()
  await worker.close()
  await pipeline.startWorker({ RETAIN_RESULTS_DAYS: atOnce })
  const path = `/transcribe/results/file/${batch.fileIds[0]}`
  await eventually(
    'the result is gone',
    async () => (await pipeline.api.get(path)).body.result === undefined,
    patienceMs,
  )
  const { body } = await pipeline.api.get(path)
  t.is(body.status, 'completed')
  t.like(body.errors[0], { code: 'expired' })
  t.is((await batch.status()).status, 'completed')
})

test.serial('batches go when their time is over, like those that are deleted, and recordings stay', async (t) => {
  const pipeline = await aPipeline(t, nats, { RETAIN_RECORDS_DAYS: atOnce })
  const { api } = pipeline
  await pipeline.addWorker()
  const batch = await pipeline.submit([recording])
  await eventually(
    'the batch is gone',
    async () => (await api.get(`/transcribe/status/batch/${batch.batchId}`)).status === 404,
    patienceMs,
  )
  await eventually(
    'so is what was said in its file',
    async () => (await api.get(`/transcribe/results/file/${batch.fileIds[0]}`)).status === 404,
    patienceMs,
  )
  await eventually('it is not listed', async () => (await api.get('/transcribe/batches')).body.count === 0)
  t.is((await api.get('/files')).body.total_files, 1)
})

test.serial('a batch may wish for less than the server keeps, and not for more', async (t) => {
  const pipeline = await aPipeline(t, nats, { RETAIN_RESULTS_DAYS: '10' })
  const { body: upload } = await pipeline.api.get('/files')
  t.is(upload.total_files, 0)
  const batch = await pipeline.submit([recording], { retain: { results_days: 10, records_days: 30 } })
  const json = { file_ids: batch.fileIds, retain: { results_days: 11 } }
  const { status, body } = await pipeline.api.post('/transcribe/batch', { json })
  t.is(status, 400)
  t.regex(body.detail, /retain\.results_days: 11 is longer than this server keeps it, which is 10 days/)
})

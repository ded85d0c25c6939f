import test from 'ava'

import type { ApiAnswer } from '../support/api.ts'
import { eventually } from '../support/eventually.ts'
import { startTestNats } from '../support/nats.ts'
import type { TestNats } from '../support/nats.ts'
import { aPipeline, submitted } from '../support/pipeline.ts'
import { aScriptedRecording, scriptedSeconds, textsOf } from '../support/scripted-speech.ts'

let nats: TestNats
test.before(async () => {
  nats = await startTestNats()
})
test.after.always(() => nats.stop())

const patienceMs = 90_000
/** Heard differently each time, so that words that stay the same were not heard again. */
const varying = { audio: 11, commands: [{ stage: 'transcribe', act: 'vary' }] } as const
/** Fails once in each run: for good where nothing is tried again, and not where it is. */
const failing = { audio: 12, commands: [{ stage: 'transcribe', act: 'retryable', times: 1 }] } as const
const gaps = aScriptedRecording([varying, failing])
const whole = aScriptedRecording(scriptedSeconds(1))
const uncut = aScriptedRecording([{ audio: 9, commands: [{ stage: 'plan', act: 'retryable', times: 1 }] }])
const once = { CHUNK_MAX_RETRIES: '0', FILE_MAX_RETRIES: '0' }

test.serial(
  'a retry transcribes only the files and chunks that failed, and leaves the batch as it ended',
  async (t) => {
    const pipeline = await aPipeline(t, nats)
    const { api } = pipeline
    const strict = await pipeline.startWorker(once)
    const batch = await pipeline.submit([
      { name: 'gaps.wav', content: gaps },
      { name: 'whole.wav', content: whole },
      { name: 'uncut.wav', content: uncut },
    ])
    const path = `/transcribe/batch/${batch.batchId}/retry`
    const { files } = await batch.finished(patienceMs)
    t.deepEqual(
      files.map(({ status }: { status: string }) => status),
      ['partial', 'completed', 'failed'],
    )
    await strict.stop()

    const { status, body, headers } = await api.post(path)
    t.is(status, 200)
    t.is(headers.get('location'), `/transcribe/status/batch/${body.batch_id}`)
    t.is(body.retry_of, batch.batchId)
    t.deepEqual(
      body.jobs.map(({ filename }: { filename: string }) => filename),
      ['gaps.wav', 'uncut.wav'],
    )
    const again = await api.post(path)
    t.is(again.status, 409)
    t.is(again.body.detail.batch_id, body.batch_id)

    await pipeline.addWorker()
    const retry = submitted(api, body)
    const after = (await retry.finished(patienceMs)).files
    t.deepEqual(
      after.map((file: { status: string }) => file.status),
      ['completed', 'completed'],
    )
    const [heard] = files[0].result.text.split(` ${textsOf(gaps)[1]}`)
    t.is(after[0].result.text, `${heard} ${textsOf(gaps)[1]}`)
    t.is(after[1].result.text, textsOf(uncut).join(' '))
    t.like(await batch.status(), { status: 'partial', files_failed: 1, retried_as: body.batch_id })
    t.like(await retry.status(), { status: 'completed', retry_of: batch.batchId })
    const newest = await api.get(`/transcribe/results/file/${batch.fileIds[0]}`)
    t.is(newest.body.status, 'completed')
    t.regex((await api.post(path)).body.detail, /Nothing in this batch failed/)
  },
)

test.serial('what is under way, or another’s, is not tried again', async (t) => {
  const { api, gateway, submit } = await aPipeline(t, nats)
  const batch = await submit([{ name: 'whole.wav', content: whole }])
  const path = `/transcribe/batch/${batch.batchId}/retry`
  t.is((await api.post(path)).status, 409)
  t.is((await (await gateway.apiOf('ravi')).post(path)).status, 404)
})

test.serial('one file is tried again by itself, once, and the others later without it', async (t) => {
  const pipeline = await aPipeline(t, nats)
  const { api, gateway } = pipeline
  const strict = await pipeline.startWorker(once)
  const recordings = [uncut, gaps, whole].map((content, at) => ({ name: `${at}.wav`, content }))
  const batch = await pipeline.submit(recordings, { name: 'Monday' })
  const { files } = await batch.finished(patienceMs)
  t.deepEqual(
    files.map((file: { can_retry?: boolean }) => file.can_retry),
    [true, true, undefined],
  )
  await strict.stop()
  const path = `/transcribe/batch/${batch.batchId}/retry_files`
  const [first, second, good] = batch.fileIds
  const ask = (...fileIds: unknown[]) => api.post(path, { json: { file_ids: fileIds } })
  const refused = await ask(first, good)
  t.is(refused.status, 409)
  t.deepEqual(refused.body.detail.file_ids, [good])
  const both = await Promise.all([ask(first), ask(first)])
  t.deepEqual(both.map(({ status }) => String(status)).toSorted(), ['200', '409'])
  const { body } = both.find(({ status }) => status === 200)!
  t.like(body, { retry_of: batch.batchId, name: 'Monday', total_jobs: 1 })
  t.is((await ask(first)).status, 409)
  t.is((await (await gateway.apiOf('ravi')).post(path, { json: { file_ids: [first] } })).status, 404)
  t.is((await ask()).status, 400)
  t.is((await ask('../x')).status, 400)

  const rest = await api.post(`/transcribe/batch/${batch.batchId}/retry`)
  t.deepEqual(
    rest.body.jobs.map((job: { file_id: string }) => job.file_id),
    [second],
  )
  await pipeline.addWorker()
  t.is((await submitted(api, body).finished(patienceMs)).files[0].status, 'completed')
  t.is((await api.get(`/transcribe/status/file/${first}`)).body.batch_id, body.batch_id)
})

test.serial('a file whose sound was not kept is transcribed anew as a whole', async (t) => {
  const pipeline = await aPipeline(t, nats, { SAVE_AUDIO_DATA: 'false' })
  const strict = await pipeline.startWorker(once)
  const recording = aScriptedRecording([...scriptedSeconds(1, 30), failing])
  const batch = await pipeline.submit([{ name: 'gaps.wav', content: recording }])
  t.is((await batch.finished(patienceMs)).files[0].status, 'partial')
  await strict.stop()
  const { body } = await pipeline.api.post(`/transcribe/batch/${batch.batchId}/retry`)
  await pipeline.addWorker()
  const { files } = await submitted(pipeline.api, body).finished(patienceMs)
  t.is(files[0].result.text, textsOf(recording).join(' '))
})

const stubborn = [{ stage: 'transcribe', act: 'retryable', times: 1 }] as const
/** What fails once waits for long, and one chunk of a file comes after another. */
const patient = { CHUNK_RETRY_INTERVALS: '3600', FILE_RETRY_INTERVALS: '3600', FILE_WINDOW: '1' }

test.serial('a batch that is cancelled ends with what is done, and a retry goes on with the rest', async (t) => {
  const pipeline = await aPipeline(t, nats)
  const { api } = pipeline
  const worker = await pipeline.startWorker(patient)
  const begun = aScriptedRecording([{ audio: 21 }, { audio: 22, commands: stubborn }, { audio: 23 }])
  const batch = await pipeline.submit([
    { name: 'begun.wav', content: begun },
    { name: 'uncut.wav', content: uncut },
  ])
  const path = `/transcribe/batch/${batch.batchId}`
  const [first, second] = batch.fileIds
  const progressOf = async (fileId: string | undefined) => (await api.get(`/transcribe/status/file/${fileId}`)).body
  await eventually('one is begun', async () => (await progressOf(first)).completed_chunks === 1)
  await eventually('one waits for another attempt', async () => (await progressOf(second)).status === 'retrying')
  t.is((await (await pipeline.gateway.apiOf('ravi')).post(`${path}/cancel`)).status, 404)
  t.deepEqual(await cancelled(api.post(`${path}/cancel_files`, { json: { file_ids: [second] } })), [202, 1])
  await eventually('one has ended', async () => (await batch.status()).files_failed === 1)
  const twice = await api.post(`${path}/cancel_files`, { json: { file_ids: [first, second] } })
  t.deepEqual([twice.status, twice.body.detail.file_ids], [409, [second]])
  t.deepEqual(await cancelled(api.post(`${path}/cancel`)), [202, 1])
  const { files } = await batch.finished(patienceMs)
  t.deepEqual(
    files.map((file: { status: string; errors: { code: string }[] }) => [
      file.status,
      ...file.errors.map(({ code }) => code),
    ]),
    [
      ['partial', 'cancelled', 'cancelled'],
      ['failed', 'cancelled'],
    ],
  )
  t.is(files[0].result.text, textsOf(begun)[0])
  t.deepEqual(await cancelled(api.post(`${path}/cancel`)), [202, 0], 'it has ended')
  await worker.stop()

  await pipeline.addWorker()
  const retry = submitted(api, (await api.post(`${path}/retry`)).body)
  const after = (await retry.finished(patienceMs)).files
  t.deepEqual(
    after.map((file: { result: { text: string } }) => file.result.text),
    [textsOf(begun).join(' '), textsOf(uncut).join(' ')],
  )
})

async function cancelled(asking: Promise<ApiAnswer>): Promise<[status: number, files: number]> {
  const { status, body } = await asking
  return [status, body.files_cancelled]
}

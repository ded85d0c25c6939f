import test from 'ava'

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

    await pipeline.startWorker()
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

test.serial('a file whose sound was not kept is transcribed anew as a whole', async (t) => {
  const pipeline = await aPipeline(t, nats, { SAVE_AUDIO_DATA: 'false' })
  const strict = await pipeline.startWorker(once)
  const recording = aScriptedRecording([...scriptedSeconds(1, 30), failing])
  const batch = await pipeline.submit([{ name: 'gaps.wav', content: recording }])
  t.is((await batch.finished(patienceMs)).files[0].status, 'partial')
  await strict.stop()
  const { body } = await pipeline.api.post(`/transcribe/batch/${batch.batchId}/retry`)
  await pipeline.startWorker()
  const { files } = await submitted(pipeline.api, body).finished(patienceMs)
  t.is(files[0].result.text, textsOf(recording).join(' '))
})

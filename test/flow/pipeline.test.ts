import test from 'ava'

import { eventually } from '../support/eventually.ts'
import { startTestNats } from '../support/nats.ts'
import type { TestNats } from '../support/nats.ts'
import { objectsIn } from '../support/on-disk.ts'
import { aPipeline, submit } from '../support/pipeline.ts'
import { aScriptedRecording, scriptedSeconds, textsOf } from '../support/scripted-speech.ts'

/** From upload to transcript through real processes. What is heard is scripted, everything else is as in earnest. */

let nats: TestNats
test.before(async () => {
  nats = await startTestNats()
})
test.after.always(() => nats.stop())

const long = aScriptedRecording(scriptedSeconds(70))
const short = aScriptedRecording(scriptedSeconds(3, 1000))
const silent = aScriptedRecording(['silence', 'silence'])
const broken = aScriptedRecording([{ audio: 7, commands: [{ stage: 'plan', act: 'terminal' }] }])

test.serial(
  'a batch of several recordings ends with one result each, and one that is broken fails alone',
  async (t) => {
    const { api, submit: send, startWorker } = await aPipeline(t, nats)
    await startWorker()
    const batch = await send([
      { name: 'long.wav', content: long },
      { name: 'short.wav', content: short },
      { name: 'silent.wav', content: silent },
      { name: 'broken.wav', content: broken },
    ])
    const { files } = await batch.finished()
    t.deepEqual(
      files.map((file: { filename: string; status: string }) => [file.filename, file.status]),
      [
        ['long.wav', 'completed'],
        ['short.wav', 'completed'],
        ['silent.wav', 'completed'],
        ['broken.wav', 'failed'],
      ],
    )
    t.is(files[0].result.text, textsOf(long).join(' '))
    t.is(files[1].result.text, textsOf(short).join(' '))
    t.is(files[2].result.text, '')
    t.regex(files[3].errors[0].message, /fails for good/)
    t.like(await batch.status(), {
      status: 'partial',
      files_completed: 3,
      files_failed: 1,
      estimated_completion_seconds: 0,
    })

    const raw = await batch.results('?raw=true&limit=200')
    t.is(raw.total_jobs, 4 + 70 + 3)
    t.is(
      raw.jobs.filter((job: { kind: string; status: string }) => job.kind === 'chunk' && job.status === 'completed')
        .length,
      73,
    )

    const ndjson = await api.get(`/transcribe/download/batch/${batch.batchId}`)
    const lines = ndjson.body
      .trimEnd()
      .split('\n')
      .map((line: string) => JSON.parse(line))
    t.deepEqual(lines, files)
    const one = await api.get(`/transcribe/results/file/${batch.fileIds[1]}?chunks=true`)
    t.deepEqual(
      one.body.chunk_results.map((chunk: { text: string }) => chunk.text),
      textsOf(short),
    )
  },
)

test.serial('a worker for files and a worker for chunks do together what one does', async (t) => {
  const { submit: send, startWorker } = await aPipeline(t, nats)
  await startWorker({ WORKER_MODE: 'file' })
  await startWorker({ WORKER_MODE: 'chunk' })
  const batch = await send([{ name: 'long.wav', content: long }])
  const { files } = await batch.finished()
  t.is(files[0].result.text, textsOf(long).join(' '))
})

test.serial(
  'a file that is deleted while it is worked on leaves nothing behind, and the batch ends without it',
  async (t) => {
    const { api, submit: send, startWorker, dataDir } = await aPipeline(t, nats)
    const hanging = aScriptedRecording([
      ...scriptedSeconds(4, 2000),
      { audio: 3000, commands: [{ stage: 'transcribe', act: 'wait', ms: 3000 }] },
    ])
    await startWorker()
    const batch = await send([
      { name: 'hanging.wav', content: hanging },
      { name: 'short.wav', content: short },
    ])
    const [hangingId] = batch.fileIds
    await eventually('chunks of it are done', async () => {
      const { jobs } = await batch.results('?raw=true')
      const done = jobs.filter((job: { file_id: string; kind: string; status: string }) => {
        return job.file_id === hangingId && job.kind === 'chunk' && job.status === 'completed'
      })
      return done.length === 4
    })
    const deleted = await api.delete('/files', { json: { file_ids: [hangingId] } })
    t.like(deleted.body, { deleted_count: 1, jobs_cleaned: 6 })
    t.is((await api.get(`/transcribe/results/file/${hangingId}`)).status, 404)

    const { files } = await batch.finished()
    t.deepEqual(
      files.map((file: { filename: string }) => file.filename),
      ['short.wav'],
    )
    await eventually('no object of it is left, whoever was still at work', async () => {
      return (await objectsIn(dataDir)).every((path) => !path.includes(hangingId!))
    })
  },
)

test.serial('without SAVE_AUDIO_DATA the sound of chunks is gone when the batch is finished', async (t) => {
  const { submit: send, startWorker, dataDir } = await aPipeline(t, nats, { SAVE_AUDIO_DATA: 'false' })
  await startWorker()
  const batch = await send([{ name: 'short.wav', content: short }])
  const { files } = await batch.finished()
  t.is(files[0].result.text, textsOf(short).join(' '))
  await eventually('the sound is gone', async () => {
    return (await objectsIn(dataDir)).every((path) => !path.includes('/audio/'))
  })
})

test.serial('a user with one file is not behind another’s hundreds', async (t) => {
  const { gateway, submit: send, startWorker } = await aPipeline(t, nats, { WORKER_CHUNK_SLOTS: '2' })
  const slow = aScriptedRecording(
    scriptedSeconds(8, 5000).map((second) =>
      second === 'silence' ? second : { ...second, commands: [{ stage: 'transcribe', act: 'wait', ms: 40 }] as const },
    ),
  )
  const many = Array.from({ length: 60 }, (_, index) => ({ name: `${index}.wav`, content: slow }))
  const crowd = await send(many)
  await startWorker()
  await eventually('the crowd is under way', async () => (await crowd.status()).status === 'processing')
  const single = await submit(await gateway.apiOf('ravi'), [{ name: 'one.wav', content: short }], {})
  const { files_completed: before } = await crowd.status()
  await single.finished()
  const wentFirst = (await crowd.status()).files_completed - before
  t.true(wentFirst < 30, `${wentFirst} of 60 files went first`)
})

test.serial('what is in hand is given back when a worker is told to stop, and another finishes it', async (t) => {
  const { submit: send, startWorker, dataDir } = await aPipeline(t, nats, { SHUTDOWN_SECONDS: '0' })
  const hanging = aScriptedRecording([{ audio: 9000, commands: [{ stage: 'transcribe', act: 'hang', times: 1 }] }])
  const first = await startWorker()
  const batch = await send([{ name: 'hanging.wav', content: hanging }])
  await eventually('it is in hand and hangs', async () => {
    return (await objectsIn(dataDir)).some((path) => path.includes('/scripted/hear-'))
  })
  await first.stop()
  await startWorker()
  const { files } = await batch.finished()
  t.is(files[0].result.text, textsOf(hanging).join(' '))
})

test.serial('a batch and its results are there for nobody but their owner', async (t) => {
  const { gateway, submit: send } = await aPipeline(t, nats)
  const batch = await send([{ name: 'short.wav', content: short }])
  const other = await gateway.apiOf('mallory')
  t.is((await other.get(`/transcribe/status/batch/${batch.batchId}`)).status, 404)
  t.is((await other.get(`/transcribe/results/batch/${batch.batchId}`)).status, 404)
  t.is((await other.get(`/transcribe/results/file/${batch.fileIds[0]}`)).status, 404)
  t.is((await other.get(`/transcribe/download/batch/${batch.batchId}`)).status, 404)
})

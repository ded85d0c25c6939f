import test from 'ava'

import { aNatsServer } from '../support/nats.ts'
import { aPipeline, submitted, uploadRecordings } from '../support/pipeline.ts'
import { batchService } from '../support/batch-service.ts'
import { aRemoteServer, whole } from '../support/remote.ts'
import { aScriptedRecording, scriptedSeconds, textsOf } from '../support/scripted-speech.ts'

const service = batchService(test)
const content = aScriptedRecording(scriptedSeconds(6))
const said = textsOf(content)

test('only the part of an upload or URL that is asked for is transcribed, at its times in the whole', async (t) => {
  const server = await aRemoteServer(t, whole(content))
  const { api, addWorker } = await aPipeline(t, await aNatsServer(t), {
    REMOTE_ALLOW_PRIVATE: '127.0.0.1',
    REMOTE_PORTS: String(server.port),
    // the whole of each would be more
    QUOTA_AUDIO_SECONDS: '7',
  })
  await addWorker()
  const { body: upload } = await api.get(`/files/upload/${await uploadRecordings(api, [{ name: 'a.wav', content }])}`)
  const [{ file_id: fileId, gcs_key: key }] = upload.files
  const accepted = await api.post('/transcribe/batch', {
    json: {
      file_ids: [fileId],
      sources: [
        { gcs_key: key, start: 2, end: 4 },
        { url: server.url, start: 5, end: 6 },
        { url: server.url, end: 2.5 },
      ],
    },
  })
  t.is(accepted.status, 200, JSON.stringify(accepted.body))
  t.like(accepted.body, { total_jobs: 3, estimated_audio_seconds: 2 + 1 + 2.5 })
  const batch = submitted(api, accepted.body)
  const { files } = await batch.finished()
  const [first, second, third] = files
  t.like(first, { status: 'completed', start: 2, end: 4 })
  t.is(first.result.text, said.slice(2, 4).join(' '))
  t.is(first.result.duration_seconds, 4, 'where the part ends')
  t.deepEqual(placesOf(first), [[2, 4]])
  t.like(second, { start: 5, end: 6 })
  t.is(second.result.text, said[5])
  t.deepEqual(placesOf(second), [[5, 6]])
  t.like(third, { start: 0, end: 2.5 })
  t.true(third.result.text.startsWith(said.slice(0, 2).join(' ')))
  t.is((await batch.status()).estimated_audio_seconds, 5.5, 'as it was counted')
  t.like((await api.get(`/transcribe/status/file/${fileId}`)).body, { start: 2, end: 4, audio_seconds: 2 })
  const { body: shown } = await api.get(`/transcribe/results/file/${fileId}?waveform=true&chunks=true`)
  t.deepEqual(shown.waveform.levels.slice(0, 41).map(Math.sign), [...Array(40).fill(0), 1])
  t.is(shown.chunk_results[0].start, 2)
  const note = { version: 0, changes: [{ type: 'note', at: 3, text: 'here' }] }
  t.is((await api.patch(`/transcribe/results/file/${fileId}`, { json: note })).status, 200)
})

test('a part beyond the end of its recording fails with a sentence, and is not tried again', async (t) => {
  const server = await aRemoteServer(t, whole(content))
  const { api, addWorker } = await aPipeline(t, await aNatsServer(t), {
    REMOTE_ALLOW_PRIVATE: '127.0.0.1',
    REMOTE_PORTS: String(server.port),
  })
  await addWorker()
  const sources = [
    { url: server.url, start: 6 },
    { url: server.url, start: 5, end: 20 },
  ]
  const batch = submitted(api, (await api.post('/transcribe/batch', { json: { sources } })).body)
  const { files } = await batch.finished()
  const [beyond, late] = files
  t.is(beyond.status, 'failed')
  t.like(beyond.errors[0], {
    code: 'invalid_request',
    message: 'The part begins at 6 s, and the recording has only 6 s: there is nothing to transcribe.',
    attempts: 1,
  })
  t.false('can_retry' in beyond)
  t.is(late.status, 'completed')
  t.deepEqual(late.result.warnings, ['The part was to end at 20 s, and the recording has only 6 s.'])
  t.is(late.result.text, said[5])
})

const url = 'https://example.org/a.mp3'
for (const [what, sources, reason] of [
  ['ends before it begins', [{ url, start: 5, end: 4 }], /sources\.0: end is at least 0\.1 seconds after start/],
  ['has no length', [{ url, start: 5, end: 5 }], /end is at least 0\.1 seconds after start/],
  ['ends where the recording begins', [{ url, end: 0 }], /end is at least 0\.1 seconds after start/],
  ['begins before the recording', [{ url, start: -1 }], /sources\.0\.start: .*>=0/],
  ['begins in a month', [{ url, start: 1e7 }], /sources\.0\.start: .*<=1000000/],
  ['begins at a word', [{ url, start: '1:30' }], /sources\.0\.start: .*expected number/],
] as const)
  test(`a part that ${what} is 400 and says so`, async (t) => {
    const { api } = await service.user(t)
    const { status, body } = await api.post('/transcribe/batch', { json: { sources } })
    t.is(status, 400)
    t.regex(body.detail, reason)
  })

test('two parts of one stored file are two batches', async (t) => {
  const { api, fileIds, keyOf } = await service.uploader(t, 'completed')
  const key = keyOf(fileIds[0]!)
  const json = { sources: [1, 2].map((start) => ({ gcs_key: key, start })) }
  const { status, body } = await api.post('/transcribe/batch', { json })
  t.is(status, 400)
  t.regex(body.detail, /^sources\.1: another part of this file is in the batch already/)
  const again = { sources: [1, 1].map((start) => ({ gcs_key: key, start })) }
  const { body: once } = await api.post('/transcribe/batch', { json: again })
  t.like(once, { total_jobs: 1, estimated_audio_seconds: 9 })
})

function placesOf({ result }: { result: { segments: { start: number; end: number }[] } }): number[][] {
  return result.segments.map(({ start, end }) => [start, end])
}

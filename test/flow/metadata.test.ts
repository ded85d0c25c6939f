import { text } from 'node:stream/consumers'

import test from 'ava'

import { eventually } from '../support/eventually.ts'
import { aNatsServer } from '../support/nats.ts'
import { aPipeline, submitted, uploadRecordings } from '../support/pipeline.ts'
import { aRemoteServer } from '../support/remote.ts'
import { aScriptedRecording, scriptedSeconds } from '../support/scripted-speech.ts'
import { allEvents } from '../support/server-events.ts'

const content = aScriptedRecording(scriptedSeconds(1))
const broken = aScriptedRecording([{ audio: 7, commands: [{ stage: 'plan', act: 'terminal' }] }])

test('metadata of a batch and of a file comes back wherever they do, and to nobody else', async (t) => {
  const calls: string[] = []
  const { port } = await aRemoteServer(t, (request, response) => {
    void text(request).then((body) => {
      if (request.method === 'POST') calls.push(body)
      response.end(request.method === 'POST' ? '' : content)
    })
  })
  const environment = { REMOTE_ALLOW_PRIVATE: '127.0.0.1', REMOTE_PORTS: String(port) }
  const { api, gateway, addWorker } = await aPipeline(t, await aNatsServer(t), environment)
  const uploadId = await uploadRecordings(api, [{ name: 'one.wav', content }])
  const { body: upload } = await api.get(`/files/upload/${uploadId}`)
  const ofUpload = { call: 1, said: ['नमस्ते', null, { deep: true }] }
  const accepted = await api.post('/transcribe/batch', {
    json: {
      sources: [
        { gcs_key: upload.files[0].gcs_key, metadata: ofUpload },
        { url: `http://127.0.0.1:${port}/two.wav`, metadata: { call: 2 } },
        { url: `http://127.0.0.1:${port}/three.wav` },
      ],
      metadata: { ticket: 'A-17' },
      callback_url: `http://127.0.0.1:${port}/hook`,
    },
  })
  t.is(accepted.status, 200, JSON.stringify(accepted.body))
  const batch = submitted(api, accepted.body)
  const [first] = batch.fileIds
  const waiting = await api.get(`/transcribe/status/file/${first}`)
  t.deepEqual(waiting.body.metadata, ofUpload, 'before anybody took it up')
  t.deepEqual((await api.get('/transcribe/files')).body.files[0].transcription.metadata, ofUpload)
  await addWorker()
  const results = await batch.finished()
  t.deepEqual(results.metadata, { ticket: 'A-17' })
  const ofFiles = results.files.map(({ metadata }: { metadata?: object }) => metadata)
  t.deepEqual(ofFiles, [ofUpload, { call: 2 }, undefined])
  t.deepEqual((await batch.status()).metadata, { ticket: 'A-17' })
  t.deepEqual((await api.get('/transcribe/batches')).body.batches[0].metadata, { ticket: 'A-17' })
  t.deepEqual((await api.get(`/transcribe/results/file/${first}`)).body.metadata, ofUpload)
  t.deepEqual((await api.get(`/transcribe/status/file/${first}`)).body.metadata, ofUpload)
  const headers = { Authorization: `Bearer ${await gateway.tokenOf('asha')}` }
  const events = await allEvents(await fetch(`${api.url}/transcribe/events/batch/${batch.batchId}`, { headers }))
  t.like(events.at(-1), { event: 'end', data: { metadata: { ticket: 'A-17' } } })
  await eventually('the end was told', async () => calls.length > 0)
  t.like(JSON.parse(calls[0]!), { data: { batch_id: batch.batchId, metadata: { ticket: 'A-17' } } })

  const link = await api.post(`/transcribe/results/file/${first}/share_links`, { json: {} })
  const shared = await api.as(link.body.link).get('/shared/result')
  t.is(shared.status, 200)
  t.false(JSON.stringify(shared.body).includes('metadata'), 'who has a link sees the transcript alone')
  const other = await gateway.apiOf('ravi')
  t.is((await other.get(`/transcribe/status/file/${first}`)).status, 404)
})

test('a retry has the metadata of what it tries again', async (t) => {
  const { api, addWorker, submit } = await aPipeline(t, await aNatsServer(t))
  await addWorker()
  const batch = await submit([{ name: 'one.wav', content: broken }], { metadata: { ticket: 'A-17' } })
  await batch.finished()
  const retried = submitted(api, (await api.post(`/transcribe/batch/${batch.batchId}/retry`)).body)
  t.deepEqual((await retried.status()).metadata, { ticket: 'A-17' })
})

test('the example of a submission in the API’s own document is accepted as it stands', async (t) => {
  const { api } = await aPipeline(t, await aNatsServer(t))
  const { body: document } = await api.get('/openapi.json')
  const { examples } = document.paths['/transcribe/batch'].post.requestBody.content['application/json']
  const example = examples.upload.value
  const uploadId = await uploadRecordings(api, [{ name: 'one.wav', content }])
  const { status, body } = await api.post('/transcribe/batch', { json: { ...example, batch_upload_id: uploadId } })
  t.is(status, 200, JSON.stringify(body))
  t.is(body.total_jobs, 2)
  const batch = submitted(api, body)
  t.deepEqual((await batch.status()).metadata, example.metadata)
  const [{ metadata, start, end }] = example.sources
  const { body: file } = await api.get(`/transcribe/status/file/${batch.fileIds[1]}`)
  t.deepEqual([file.metadata, file.start, file.end], [metadata, start, end])
})

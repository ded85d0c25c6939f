import test from 'ava'

import { openKey } from '../../actors/batch/state.ts'
import type { ApiAnswer } from '../support/api.ts'
import { aFileId, anUploadId } from '../support/builders.ts'
import { batchService } from '../support/batch-service.ts'

const service = batchService(test)

const idsOf = ({ body }: ApiAnswer): string[] => body.jobs.map((job: { file_id: string }) => job.file_id)
const namesOf = ({ body }: ApiAnswer): string[] => body.jobs.map((job: { filename: string }) => job.filename)

test('a batch of an upload has all its completed files, queued, in their order', async (t) => {
  const { api, uploadId, fileIds } = await service.uploader(t, 'completed', 'completed')
  const answer = await api.post('/transcribe/batch', { json: { batch_upload_id: uploadId } })
  t.is(answer.status, 200)
  const { batch_id: batchId } = answer.body
  t.like(answer.body, { total_jobs: 2, estimated_audio_seconds: 20 })
  t.deepEqual(
    answer.body.jobs,
    fileIds.map((file_id, at) => ({ file_id, filename: `${at}.wav`, batch_id: batchId, status: 'queued' })),
  )
  t.is(answer.headers.get('location'), `/transcribe/status/batch/${batchId}`)
})

test('files of the upload that failed or were deleted are left out', async (t) => {
  const { api, uploadId, fileIds } = await service.uploader(t, 'failed', 'completed', 'purging')
  const answer = await api.post('/transcribe/batch', { json: { batch_upload_id: uploadId } })
  t.deepEqual(idsOf(answer), [fileIds[1]])
})

test('what a batch is made of is stored when it is answered', async (t) => {
  const { api, owner, uploadId, fileIds, keyOf } = await service.uploader(t, 'completed')
  const asked = { language: 'hi', profile: 'fast', script: 'latin', hotwords: ['Vaak', 'वाक्'] }
  const settings = { ...asked, channels: 'separate', speakers: 2 }
  const { body } = await api.post('/transcribe/batch', { json: { batch_upload_id: uploadId, ...settings } })
  t.deepEqual(body.options, settings)
  const { batches, members, open } = await service.records()
  const batch = (await batches.read(body.batch_id))?.value
  t.like(batch, { owner, total: 1, issued: 1, estimatedSeconds: 10, settings })
  const source = { type: 'upload', key: keyOf(fileIds[0]!) }
  const member = { fileId: fileIds[0], filename: '0.wav', source, estimatedSeconds: 10 }
  t.deepEqual((await members.read(`${body.batch_id}.0`))?.value, { files: [member] } as never)
  t.truthy(await open.read(openKey({ owner, batchId: body.batch_id })))
})

test('what nobody asked for is said, too', async (t) => {
  const { api, uploadId } = await service.uploader(t, 'completed')
  const { body } = await api.post('/transcribe/batch', { json: { batch_upload_id: uploadId } })
  t.deepEqual(body.options, { script: 'mixed', channels: 'mix' })
})

test('all ways to name files may be combined, and a file that is named twice is transcribed once', async (t) => {
  const { api, uploadId, fileIds, keyOf } = await service.uploader(t, 'completed', 'completed')
  const url = 'https://example.org/talk.mp3'
  const answer = await api.post('/transcribe/batch', {
    json: {
      batch_upload_id: uploadId,
      file_ids: [fileIds[1], fileIds[0], fileIds[1]],
      sources: [{ gcs_key: keyOf(fileIds[0]!) }, { url }, { url }],
    },
  })
  t.is(answer.status, 200)
  t.is(answer.body.total_jobs, 3)
  t.deepEqual(idsOf(answer).slice(0, 2), [...fileIds])
  t.deepEqual(namesOf(answer), ['0.wav', '1.wav', 'talk.mp3'])
})

test('file ids may be of several uploads', async (t) => {
  const { api, fileIds, uploadMore } = await service.uploader(t, 'completed')
  const more = await uploadMore('completed')
  const answer = await api.post('/transcribe/batch', { json: { file_ids: [...more.fileIds, ...fileIds] } })
  t.deepEqual(idsOf(answer), [...more.fileIds, ...fileIds])
})

test('a storage key gives the file that was uploaded, under the name that is given', async (t) => {
  const { api, fileIds, keyOf } = await service.uploader(t, 'completed')
  const sources = [{ gcs_key: keyOf(fileIds[0]!), filename: '../kept/better.wav' }]
  const answer = await api.post('/transcribe/batch', { json: { sources } })
  t.deepEqual(idsOf(answer), [...fileIds])
  t.deepEqual(namesOf(answer), ['better.wav'])
})

for (const [url, name] of [
  ['https://example.org/a/b/%E0%A4%B5%E0%A4%BE%E0%A4%95%E0%A5%8D.mp3?sig=1', 'वाक्.mp3'],
  ['https://example.org', 'unnamed'],
  ['https://example.org/100%.wav', '100%.wav'],
  ['https://example.org/a%2Fb.wav', 'b.wav'],
] as const)
  test(`audio behind ${url} is called ${name} and gets an id of its own`, async (t) => {
    const { api } = await service.user(t)
    const answer = await api.post('/transcribe/batch', { json: { sources: [{ url }] } })
    t.is(answer.status, 200)
    t.deepEqual(namesOf(answer), [name])
    const page = await (await service.records()).members.read(`${answer.body.batch_id}.0`)
    t.like(page?.value.files[0], { fileId: idsOf(answer)[0], source: { type: 'url', url } })
  })

test('an upload that does not exist is 404', async (t) => {
  const { api } = await service.user(t)
  const { status, body } = await api.post('/transcribe/batch', { json: { batch_upload_id: anUploadId() } })
  t.is(status, 404)
  t.deepEqual(body, { detail: 'upload not found' })
})

test("another user's upload is 403", async (t) => {
  const { uploadId } = await service.uploader(t, 'completed')
  const { api } = await service.user(t)
  const { status, body } = await api.post('/transcribe/batch', { json: { batch_upload_id: uploadId } })
  t.is(status, 403)
  t.regex(body.detail, /belongs to another user/)
})

test('an upload of which files are still on their way is 409, and names them', async (t) => {
  const { api, uploadId, fileIds } = await service.uploader(t, 'completed', 'pending', 'uploading')
  const { status, body } = await api.post('/transcribe/batch', { json: { batch_upload_id: uploadId } })
  t.is(status, 409)
  t.deepEqual(body.detail.file_ids, fileIds.slice(1))
})

test('file ids that are missing or belong to somebody else are 404, and named alike', async (t) => {
  const { fileIds: theirs } = await service.uploader(t, 'completed')
  const { api, fileIds: own } = await service.uploader(t, 'completed', 'purging')
  const missing = aFileId()
  const { status, body } = await api.post('/transcribe/batch', { json: { file_ids: [...own, missing, ...theirs] } })
  t.is(status, 404)
  t.deepEqual(body.detail.file_ids, [own[1], missing, ...theirs])
})

test('file ids that are not completed are 409, and named', async (t) => {
  const { api, fileIds } = await service.uploader(t, 'completed', 'pending', 'failed')
  const { status, body } = await api.post('/transcribe/batch', { json: { file_ids: fileIds } })
  t.is(status, 409)
  t.deepEqual(body.detail.file_ids, fileIds.slice(1))
})

test('storage keys that lead nowhere, to others, or out of the uploads are 404, and named alike', async (t) => {
  const other = await service.uploader(t, 'completed')
  const { api, owner, fileIds, keyOf } = await service.uploader(t, 'completed')
  const keys = [
    keyOf(aFileId()),
    other.keyOf(other.fileIds[0]!),
    `uploads/${owner}/${other.uploadId}/${fileIds[0]}`,
    `${keyOf(fileIds[0]!)}/more`,
    `uploads/${owner}/../${fileIds[0]}`,
    'transcripts/x',
    '',
  ]
  for (const key of keys) {
    const { status, body } = await api.post('/transcribe/batch', { json: { sources: [{ gcs_key: key }] } })
    t.is(status, 404, key)
    t.deepEqual(body.detail.gcs_keys, [key])
  }
})

test('a storage key whose file is not completed is 409', async (t) => {
  const { api, fileIds, keyOf } = await service.uploader(t, 'uploading')
  const { status, body } = await api.post('/transcribe/batch', { json: { sources: [{ gcs_key: keyOf(fileIds[0]!) }] } })
  t.is(status, 409)
  t.deepEqual(body.detail.file_ids, [...fileIds])
})

test('when nothing is left to transcribe it is 400', async (t) => {
  const { api, uploadId } = await service.uploader(t, 'failed')
  for (const json of [{}, { file_ids: [] }, { sources: [] }, { batch_upload_id: uploadId }]) {
    const { status, body } = await api.post('/transcribe/batch', { json })
    t.is(status, 400)
    t.regex(body.detail, /nothing to transcribe/)
  }
})

test('an upload whose files were all deleted is as good as none', async (t) => {
  const { api, uploadId } = await service.uploader(t, 'purging')
  t.is((await api.post('/transcribe/batch', { json: { batch_upload_id: uploadId } })).status, 404)
})

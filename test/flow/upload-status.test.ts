import { rm } from 'node:fs/promises'
import { join } from 'node:path'

import test from 'ava'

import { uploadForm } from '../support/api.ts'
import type { Api } from '../support/api.ts'
import { aFile, anUploadId, someFacts } from '../support/builders.ts'
import { eventually } from '../support/eventually.ts'
import { heldAt } from '../support/held-faults.ts'
import { aGateway } from '../support/gateway.ts'
import { aWav } from '../support/media.ts'
import { sharedService } from '../support/service.ts'

const service = sharedService(test)
const wav = aWav({ seconds: 0.1 })

const uploaded = async (api: Api, ...names: string[]): Promise<string> => {
  const { body } = await api.post('/files/upload', {
    body: uploadForm(...names.map((name) => ({ name, content: wav }))),
  })
  return body.batch_upload_id
}

test('an uploaded file becomes completed, and then has a storage key made of ids only', async (t) => {
  const user = await service.user(t)
  const uploadId = await uploaded(user.api, 'speech.wav')
  const done = await eventually('the upload completes', async () => {
    const { body } = await user.api.get(`/files/upload/${uploadId}`)
    return body.status === 'completed' && body
  })
  const fileId = done.files[0].file_id
  t.deepEqual(done, {
    batch_upload_id: uploadId,
    status: 'completed',
    total_files: 1,
    completed: 1,
    failed: 0,
    uploading: 0,
    pending: 0,
    files: [
      {
        file_id: fileId,
        filename: 'speech.wav',
        size_bytes: wav.length,
        estimated_duration_seconds: 0.1,
        upload_status: 'completed',
        gcs_key: `uploads/${user.owner}/${uploadId}/${fileId}`,
      },
    ],
  })
})

test('files keep the order of the request', async (t) => {
  const { api } = await service.user(t)
  const uploadId = await uploaded(api, 'c.wav', 'a.wav', 'b.wav')
  const { body } = await api.get(`/files/upload/${uploadId}`)
  t.deepEqual(
    body.files.map((file: { filename: string }) => file.filename),
    ['c.wav', 'a.wav', 'b.wav'],
  )
})

test('an upload is accepted while any file is open, and counts each status', async (t) => {
  const faults = heldAt('transfer.after-begin')
  const gateway = await aGateway(t, service.nats, { faults, environment: { TRANSFER_CONCURRENCY: '1' } })
  t.teardown(() => faults.release())
  const api = await gateway.apiOf('counter')
  const uploadId = await uploaded(api, 'one.wav', 'two.wav', 'three.wav')
  await faults.reached
  const { body } = await api.get(`/files/upload/${uploadId}`)
  t.like(body, { status: 'accepted', total_files: 3, completed: 0, failed: 0, uploading: 1, pending: 2 })
  t.deepEqual(
    body.files.map((file: { upload_status: string; gcs_key?: string }) => [file.upload_status, file.gcs_key]),
    [
      ['uploading', undefined],
      ['pending', undefined],
      ['pending', undefined],
    ],
  )
})

const settled = test.macro(async (t, states: ('completed' | 'failed' | 'pending')[], status: string) => {
  const user = await service.user(t)
  const stored = await service.stored()
  const uploadId = anUploadId()
  const files = states.map((state) => aFile(state, { uploadId, owner: user.owner }))
  await Promise.all(files.map((file) => stored.files.create(file.fileId, file)))
  const upload = { uploadId, owner: user.owner, acceptedAtMs: 0, spoolSeconds: 0, rejected: [], fingerprint: '' }
  await stored.uploads.create(uploadId, { ...upload, fileIds: files.map(({ fileId }) => fileId) })
  const { body } = await user.api.get(`/files/upload/${uploadId}`)
  t.is(body.status, status)
})

test('an upload of which some files failed is partial', settled, ['completed', 'failed'], 'partial')
test('an upload of which all files failed is failed', settled, ['failed', 'failed'], 'failed')
test('an upload of which all files are completed is completed', settled, ['completed', 'completed'], 'completed')
test('an upload with an open file is accepted, also when another failed', settled, ['failed', 'pending'], 'accepted')

test('a file that storage does not take for too long ends failed, with the reason and what to do', async (t) => {
  const gateway = await aGateway(t, service.nats, { environment: { TRANSFER_GIVE_UP_SECONDS: '1' } })
  await rm(join(gateway.dataDir, 'objects'), { recursive: true })
  const api = await gateway.apiOf('unlucky')
  const uploadId = await uploaded(api, 'speech.wav')
  const { files, failed } = await eventually('the upload fails', async () => {
    const { body } = await api.get(`/files/upload/${uploadId}`)
    return body.status === 'failed' && body
  })
  t.is(failed, 1)
  t.is(files[0].upload_status, 'failed')
  t.regex(files[0].error, /did not take the file for 1 seconds; upload it again/)
  t.is(files[0].gcs_key, undefined)
})

test('a duration that the container does not tell is estimated from the size', async (t) => {
  const user = await service.user(t)
  const facts = someFacts({ owner: user.owner, durationSeconds: null, sizeBytes: 16_000 })
  await (await service.stored()).add([{ ...facts, status: 'pending' }])
  const { body } = await user.api.get(`/files/upload/${facts.uploadId}`)
  t.is(body.files[0].estimated_duration_seconds, 2)
})

test('a deleted file is left out, and an upload of which no file is left is not found', async (t) => {
  const { api } = await service.user(t)
  const uploadId = await uploaded(api, 'one.wav', 'two.wav')
  const { body } = await api.get(`/files/upload/${uploadId}`)
  const [one, two]: string[] = body.files.map((file: { file_id: string }) => file.file_id)
  await api.delete('/files', { json: { file_ids: [one] } })
  const afterOne = await api.get(`/files/upload/${uploadId}`)
  t.is(afterOne.body.total_files, 1)
  t.is(afterOne.body.files[0].file_id, two)
  await api.delete('/files', { json: { file_ids: [two] } })
  const afterBoth = await api.get(`/files/upload/${uploadId}`)
  t.is(afterBoth.status, 404)
})

test('another user’s upload is as missing as one that never was', async (t) => {
  const [one, other] = [await service.user(t), await service.user(t)]
  const uploadId = await uploaded(one.api, 'speech.wav')
  const foreign = await other.api.get(`/files/upload/${uploadId}`)
  const missing = await other.api.get(`/files/upload/${anUploadId()}`)
  t.is(foreign.status, 404)
  t.is(missing.status, 404)
  t.deepEqual(foreign.body, missing.body)
  t.deepEqual(missing.body, { detail: 'upload not found' })
  t.deepEqual(withoutChanging(foreign.headers), withoutChanging(missing.headers))
})

function withoutChanging(headers: Headers): [string, string][] {
  return [...headers].filter(([name]) => name !== 'x-request-id' && name !== 'date')
}

for (const id of [
  'nonsense',
  '0',
  anUploadId().toUpperCase(),
  `${anUploadId()}x`,
  '..%2Ffiles',
  '*',
  '%00',
  '%F0%9F%8E%A4',
])
  test(`under an id such as ${id.slice(-12)} there is nothing`, async (t) => {
    const { api } = await service.user(t)
    const { status, body } = await api.get(`/files/upload/${id}`)
    t.is(status, 404)
    t.deepEqual(body, { detail: 'upload not found' })
  })

test('an unknown query parameter is ignored', async (t) => {
  const { api } = await service.user(t)
  const { status, body } = await api.get(`/files/upload/${anUploadId()}?verbose=1`)
  t.is(status, 404)
  t.deepEqual(body, { detail: 'upload not found' })
})

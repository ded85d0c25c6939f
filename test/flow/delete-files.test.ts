import { access } from 'node:fs/promises'
import { join } from 'node:path'

import test from 'ava'
import type { ExecutionContext } from 'ava'

import { uploadForm } from '../support/api.ts'
import type { Api } from '../support/api.ts'
import { aFile, aFileId } from '../support/builders.ts'
import { eventually } from '../support/eventually.ts'
import { heldAt } from '../support/held-faults.ts'
import { aGateway } from '../support/gateway.ts'
import { aWav } from '../support/media.ts'
import { head, rawConnection } from '../support/raw-http.ts'
import { ownerOf, sharedService } from '../support/service.ts'
import type { TestUser } from '../support/service.ts'
import { spoolContent } from '../support/spool-content.ts'

const service = sharedService(test)

interface Listed {
  readonly file_id: string
  readonly gcs_key: string
}

/** Uploads that many files, no two alike, and waits until storage has them. */
async function completedFiles(api: Api, count: number): Promise<Listed[]> {
  const parts = Array.from({ length: count }, (_, index) => ({
    name: `${index}.wav`,
    content: aWav({ seconds: 0.05 * (index + 1) }),
  }))
  const { body } = await api.post('/files/upload', { body: uploadForm(...parts) })
  return eventually('the files are stored', async () => {
    const status = await api.get(`/files/upload/${body.batch_upload_id}`)
    return status.body.status === 'completed' && status.body.files
  })
}

/** Files that exist in the records only. */
async function recordedFiles(user: TestUser, count: number): Promise<string[]> {
  const files = Array.from({ length: count }, () => aFile('completed', { owner: user.owner }))
  await (await service.stored()).add(files)
  return files.map(({ fileId }) => fileId)
}

const objectPath = (dataDir: string, key: string): string => join(dataDir, 'objects', 'stored', key)
const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )
const ids = (count: number): string[] => Array.from({ length: count }, () => aFileId())
const totalOf = async (api: Api): Promise<number> => (await api.get('/files')).body.total_files

test('files are deleted with their objects, and the answer counts them', async (t) => {
  const { api } = await service.user(t)
  const [one, two, three] = await completedFiles(api, 3)
  t.true(await exists(objectPath(service.dataDir, one!.gcs_key)))
  const { status, body } = await api.delete('/files', { json: { file_ids: [one!.file_id, two!.file_id] } })
  t.is(status, 200)
  t.deepEqual(body, {
    deleted_file_ids: [one!.file_id, two!.file_id],
    deleted_count: 2,
    storage_objects_deleted: 2,
    jobs_cleaned: 0,
  })
  t.false(await exists(objectPath(service.dataDir, one!.gcs_key)))
  t.false(await exists(objectPath(service.dataDir, two!.gcs_key)))
  t.true(await exists(objectPath(service.dataDir, three!.gcs_key)))
  t.is(await totalOf(api), 1)
})

test('an id that is named twice is deleted and counted once', async (t) => {
  const { api } = await service.user(t)
  const [file] = await completedFiles(api, 1)
  const { status, body } = await api.delete('/files', { json: { file_ids: [file!.file_id, file!.file_id] } })
  t.is(status, 200)
  t.deepEqual(body.deleted_file_ids, [file!.file_id])
  t.like(body, { deleted_count: 1, storage_objects_deleted: 1 })
})

test('a file of which storage holds nothing is deleted all the same', async (t) => {
  const user = await service.user(t)
  const [fileId] = await recordedFiles(user, 1)
  const { body } = await user.api.delete('/files', { json: { file_ids: [fileId] } })
  t.like(body, { deleted_count: 1, storage_objects_deleted: 0 })
})

test('one unknown id is 404 and deletes nothing', async (t) => {
  const { api } = await service.user(t)
  const [file] = await completedFiles(api, 1)
  const unknown = aFileId()
  const { status, body } = await api.delete('/files', { json: { file_ids: [file!.file_id, unknown] } })
  t.is(status, 404)
  t.deepEqual(body, {
    detail: { message: 'Some files were not found; nothing was deleted.', file_ids: [unknown] },
  })
  t.is(await totalOf(api), 1)
  t.true(await exists(objectPath(service.dataDir, file!.gcs_key)))
})

test('one foreign id is 404, deletes nothing of either user, and reads like an unknown one', async (t) => {
  const [one, other] = [await service.user(t), await service.user(t)]
  const [mine] = await recordedFiles(one, 1)
  const [foreign] = await recordedFiles(other, 1)
  const unknown = aFileId()
  const ofForeign = await one.api.delete('/files', { json: { file_ids: [mine, foreign] } })
  const ofUnknown = await one.api.delete('/files', { json: { file_ids: [mine, unknown] } })
  t.is(ofForeign.status, 404)
  t.is(JSON.stringify(ofForeign.body).replace(foreign!, unknown), JSON.stringify(ofUnknown.body))
  t.is(await totalOf(one.api), 1)
  t.is(await totalOf(other.api), 1)
})

test('a file that was deleted is not found the second time', async (t) => {
  const user = await service.user(t)
  const [fileId] = await recordedFiles(user, 1)
  t.is((await user.api.delete('/files', { json: { file_ids: [fileId] } })).status, 200)
  t.is((await user.api.delete('/files', { json: { file_ids: [fileId] } })).status, 404)
})

test('a file may be deleted while it is on its way into storage, and does not come back', async (t) => {
  const faults = heldAt('transfer.after-blob')
  const gateway = await aGateway(t, service.nats, { faults })
  t.teardown(() => faults.release())
  const api = await gateway.apiOf('hasty')
  const { body } = await api.post('/files/upload', {
    body: uploadForm({ name: 'one.wav', content: aWav({ seconds: 0.05 }) }),
  })
  await faults.reached
  const [{ file_id: fileId }] = body.files
  const deleted = await api.delete('/files', { json: { file_ids: [fileId] } })
  t.is(deleted.status, 200)
  t.is(deleted.body.deleted_count, 1)
  faults.release()
  await eventually('the spool is empty', async () => (await spoolContent(gateway.spoolFolder)).length === 0)
  t.is(await totalOf(api), 0)
  const owner = ownerOf('hasty')
  t.false(await exists(objectPath(gateway.dataDir, `uploads/${owner}/${body.batch_upload_id}/${fileId}`)))
  t.is((await api.get(`/files/upload/${body.batch_upload_id}`)).status, 404)
})

test('as many as 1000 ids are looked up, and all that are missing are named', async (t) => {
  const { api } = await service.user(t)
  const unknown = ids(1000)
  const { status, body } = await eventually('the broker looks them all up in time', async () => {
    const answer = await api.delete('/files', { json: { file_ids: unknown } })
    return answer.status === 503 ? undefined : answer
  })
  t.is(status, 404)
  t.deepEqual(body.detail.file_ids, unknown)
})

const refusal = test.macro(async (t, json: unknown, detail: RegExp) => {
  const { api } = await service.user(t)
  const { status, body } = await api.delete('/files', { json })
  t.is(status, 400)
  t.regex(body.detail, detail)
})

test('an empty list is refused', refusal, { file_ids: [] }, /name at least one file/)
test('more than 1000 ids are refused with the limit', refusal, { file_ids: ids(1001) }, /at most 1000 files/)
test('a missing list is refused', refusal, {}, /body\.file_ids/)
test('one id instead of a list is refused', refusal, { file_ids: aFileId() }, /body\.file_ids/)
test('a body that is a list is refused', refusal, [aFileId()], /body/)
test('a body that is null is refused', refusal, null, /body/)
test('an id that is none is not found, and nothing is deleted', async (t) => {
  const { api } = await service.user(t)
  const form = uploadForm({ name: 'a.wav', content: aWav({ seconds: 1 }) })
  const { body: uploaded } = await api.post('/files/upload', { body: form })
  const mine = uploaded.files[0].file_id
  for (const id of ['x', mine.toUpperCase()]) {
    const { status, body } = await api.delete('/files', { json: { file_ids: [mine, id] } })
    t.is(status, 404)
    t.deepEqual(body.detail.file_ids, [id])
  }
  t.is((await api.get('/files')).body.total_files, 1)
})
test('an id that is a number is refused', refusal, { file_ids: [7] }, /body\.file_ids\.0/)
test('many mistakes get few sentences', refusal, { file_ids: Array(150).fill(7) }, /file_ids\.4.*and 145 more$/)
test(
  'a long list is read as far as the first mistakes, and that is said',
  refusal,
  { file_ids: Array(900).fill(7) },
  /file_ids\.4.*; the rest was not looked at$/,
)

async function send(t: ExecutionContext, body: string | Uint8Array, type?: string) {
  const { api } = await service.user(t)
  return api.delete('/files', { body, headers: type === undefined ? {} : { 'Content-Type': type } })
}

test('a body that is not JSON is refused', async (t) => {
  const { status, body } = await send(t, 'file_ids=1', 'application/json')
  t.is(status, 400)
  t.regex(body.detail, /not valid JSON/)
})

test('an empty body is refused', async (t) => {
  const { status, body } = await send(t, '', 'application/json')
  t.is(status, 400)
  t.regex(body.detail, /not valid JSON/)
})

test('a body of another content type is 415 with the one to send', async (t) => {
  const { status, body } = await send(t, '{"file_ids":[]}', 'text/plain')
  t.is(status, 415)
  t.regex(body.detail, /Content-Type: application\/json/)
})

test('a content type that only begins like JSON is 415', async (t) => {
  t.is((await send(t, '{}', 'application/jsonp')).status, 415)
})

test('a content type with a charset is taken', async (t) => {
  const { status, body } = await send(t, '{"file_ids":[]}', 'application/json; charset=utf-8')
  t.is(status, 400)
  t.regex(body.detail, /at least one file/)
})

test('a body of more than 1 MiB is 413 with the limit', async (t) => {
  const { status, body } = await send(t, `{"file_ids":["${'x'.repeat(1024 * 1024)}"]}`, 'application/json')
  t.is(status, 413)
  t.regex(body.detail, /1048576 bytes/)
})

test('a client that asks before it sends is told to go on', async (t) => {
  const { token } = await service.user(t)
  const connection = await rawConnection(t, service.url)
  const body = '{"file_ids":[]}'
  await connection.send(
    head(
      'DELETE /files HTTP/1.1',
      'Host: vaak',
      `Authorization: Bearer ${token}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      'Expect: 100-continue',
    ),
  )
  t.is((await connection.answer()).status, 100)
  await connection.send(body)
  t.is((await connection.answer()).status, 400)
})

test('an unknown query parameter changes nothing', async (t) => {
  const { api } = await service.user(t)
  const { status } = await api.delete('/files?force=1', { json: { file_ids: ids(1) } })
  t.is(status, 404)
})

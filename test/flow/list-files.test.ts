import test from 'ava'

import type { UploadStatus } from '../../actors/upload/state.ts'
import { uploadKey } from '../../actors/ids.ts'
import { uploadStatuses } from '../../actors/upload/state.ts'
import { uploadForm } from '../support/api.ts'
import type { Api } from '../support/api.ts'
import { aFile } from '../support/builders.ts'
import { eventually } from '../support/eventually.ts'
import { heldAt } from '../support/held-faults.ts'
import { aGateway } from '../support/gateway.ts'
import { aWav } from '../support/media.ts'
import { sharedService } from '../support/service.ts'
import type { TestUser } from '../support/service.ts'

const service = sharedService(test)

/** As many files as statuses, the first one being the oldest; resolves with their ids, newest first. */
async function withFiles(user: TestUser, statuses: readonly UploadStatus[]): Promise<string[]> {
  const files = statuses.map((status) => aFile(status, { owner: user.owner }))
  await (await service.stored()).add(files)
  return files.map(({ fileId }) => fileId).toReversed()
}

const many = (count: number): UploadStatus[] => Array<UploadStatus>(count).fill('completed')
const idsOf = (body: { files: { file_id: string }[] }): string[] => body.files.map((file) => file.file_id)

test('a user without files sees one empty list', async (t) => {
  const { api } = await service.user(t)
  const { status, body } = await api.get('/files')
  t.is(status, 200)
  t.deepEqual(body, { page: 1, limit: 50, total_pages: 0, total_files: 0, count: 0, files: [] })
})

test('without parameters the list is page 1 with at most 50 files', async (t) => {
  const user = await service.user(t)
  const newestFirst = await withFiles(user, many(51))
  const { body } = await user.api.get('/files')
  t.like(body, { page: 1, limit: 50, total_pages: 2, total_files: 51, count: 50 })
  t.deepEqual(idsOf(body), newestFirst.slice(0, 50))
})

test('each record of the list has every documented field', async (t) => {
  const user = await service.user(t)
  const file = aFile('completed', { owner: user.owner, filename: 'वाक्.wav' })
  await (await service.stored()).add([file])
  const { body } = await user.api.get('/files')
  t.deepEqual(body.files, [
    {
      file_id: file.fileId,
      filename: 'वाक्.wav',
      size_bytes: 32_044,
      estimated_duration_seconds: 1,
      upload_status: 'completed',
      gcs_key: uploadKey(file),
      batch_upload_id: file.uploadId,
      content_type: 'audio/wav',
    },
  ])
})

test('the list is newest first across uploads, and within one upload the last file is the newest', async (t) => {
  const { api } = await service.user(t)
  const upload = async (...names: string[]): Promise<void> => {
    const parts = names.map((name) => ({ name, content: aWav({ seconds: 0.1 }) }))
    t.is((await api.post('/files/upload', { body: uploadForm(...parts) })).status, 202)
  }
  await upload('one.wav', 'two.wav')
  await upload('three.wav')
  const { body } = await api.get('/files')
  t.deepEqual(
    body.files.map((file: { filename: string }) => file.filename),
    ['three.wav', 'two.wav', 'one.wav'],
  )
})

test('limit takes 1 and 200', async (t) => {
  const user = await service.user(t)
  const newestFirst = await withFiles(user, many(201))
  const smallest = await user.api.get('/files?limit=1')
  t.like(smallest.body, { limit: 1, total_pages: 201, count: 1 })
  t.deepEqual(idsOf(smallest.body), newestFirst.slice(0, 1))
  const largest = await user.api.get('/files?limit=200')
  t.like(largest.body, { limit: 200, total_pages: 2, count: 200 })
  t.deepEqual(idsOf(largest.body), newestFirst.slice(0, 200))
})

test('the pages together are the whole list, without gaps and without repetitions', async (t) => {
  const user = await service.user(t)
  const newestFirst = await withFiles(user, many(7))
  const pages = await Promise.all([1, 2, 3].map((page) => user.api.get(`/files?page=${page}&limit=3`)))
  t.deepEqual(
    pages.map(({ body }) => body.count),
    [3, 3, 1],
  )
  t.deepEqual(
    pages.flatMap(({ body }) => idsOf(body)),
    newestFirst,
  )
})

test('a page past the end is empty and still tells the totals', async (t) => {
  const user = await service.user(t)
  await withFiles(user, many(3))
  const { status, body } = await user.api.get('/files?page=9&limit=2')
  t.is(status, 200)
  t.deepEqual(body, { page: 9, limit: 2, total_pages: 2, total_files: 3, count: 0, files: [] })
})

const refusal = test.macro(async (t, query: string, detail: RegExp) => {
  const { api } = await service.user(t)
  const { status, body } = await api.get(`/files?${query}`)
  t.is(status, 400)
  t.regex(body.detail, detail)
})

for (const limit of ['0', '201', '-1', 'abc', '1e2', '0x10', '1.5', '', '%2050', '99999999999999999999'])
  test(`a limit of "${limit}" is refused with the range`, refusal, `limit=${limit}`, /query\.limit: .*from 1 to 200/)

for (const page of ['0', '-1', 'abc', '1e2', '', '1.0', 'Infinity'])
  test(`a page of "${page}" is refused with the range`, refusal, `page=${page}`, /query\.page: .*from 1 to/)

test('a page and a limit that are both wrong are both named', refusal, 'page=0&limit=0', /query\.page.*query\.limit/)
test('an unknown status is refused with the known ones', refusal, 'upload_status=done', /pending.*completed/)
test('an empty status is refused', refusal, 'upload_status=', /query\.upload_status/)
test('a status of a file that is being deleted is none to ask for', refusal, 'upload_status=purging', /upload_status/)
test('an unknown parameter is ignored', async (t) => {
  const user = await service.user(t)
  await withFiles(user, many(2))
  const { status, body } = await user.api.get('/files?order=asc&limit=1&toString=x')
  t.is(status, 200)
  t.like(body, { limit: 1, total_files: 2 })
})
test('a parameter named like a part of every object is refused', refusal, '__proto__=1', /__proto__/)
test('a repeated page is refused', refusal, 'page=1&page=2', /query\.page/)
test('a repeated limit is refused', refusal, 'limit=1&limit=1', /query\.limit/)
test('a repeated status is refused', refusal, 'upload_status=failed&upload_status=failed', /query\.upload_status/)

for (const wanted of uploadStatuses)
  test(`upload_status=${wanted} shows those files only, and counts them only`, async (t) => {
    const user = await service.user(t)
    const round: UploadStatus[] = ['pending', 'uploading', 'completed', 'failed']
    const newestFirst = await withFiles(user, [...round, ...round, ...round])
    const { body } = await user.api.get(`/files?upload_status=${wanted}&limit=2`)
    t.like(body, { page: 1, limit: 2, total_pages: 2, total_files: 3, count: 2 })
    const newest = newestFirst.filter((_, index) => round.toReversed()[index % 4] === wanted)
    t.deepEqual(idsOf(body), newest.slice(0, 2))
    t.true(body.files.every((file: { upload_status: string }) => file.upload_status === wanted))
    const rest = await user.api.get(`/files?upload_status=${wanted}&limit=2&page=2`)
    t.deepEqual(idsOf(rest.body), newest.slice(2))
  })

test('a failed file says why, and has no storage key', async (t) => {
  const user = await service.user(t)
  await withFiles(user, ['failed'])
  const { body } = await user.api.get('/files')
  t.like(body.files[0], { upload_status: 'failed', error: 'storage stayed away', gcs_key: undefined })
})

test('the list moves from pending over uploading to completed with the file', async (t) => {
  const faults = heldAt('transfer.after-begin')
  const gateway = await aGateway(t, service.nats, { faults, environment: { TRANSFER_CONCURRENCY: '1' } })
  t.teardown(() => faults.release())
  const api = await gateway.apiOf('watcher')
  const count = async (status: UploadStatus): Promise<number> =>
    (await api.get(`/files?upload_status=${status}`)).body.total_files
  const parts = ['one.wav', 'two.wav'].map((name) => ({ name, content: aWav({ seconds: 0.1 }) }))
  await api.post('/files/upload', { body: uploadForm(...parts) })
  await faults.reached
  t.deepEqual([await count('uploading'), await count('pending'), await count('completed')], [1, 1, 0])
  faults.release()
  await completed(api, 2)
  t.deepEqual([await count('uploading'), await count('pending'), await count('completed')], [0, 0, 2])
})

async function completed(api: Api, files: number): Promise<void> {
  await eventually('the files are completed', async () => {
    const { body } = await api.get('/files?upload_status=completed')
    return body.total_files === files
  })
}

test('a user sees their own files only', async (t) => {
  const [one, other] = [await service.user(t), await service.user(t)]
  const [ofOne] = await withFiles(one, many(1))
  const [ofOther] = await withFiles(other, many(1))
  t.deepEqual(idsOf((await one.api.get('/files')).body), [ofOne])
  t.deepEqual(idsOf((await other.api.get('/files')).body), [ofOther])
})

test('a deleted file is in no list and in no total', async (t) => {
  const user = await service.user(t)
  const [newest, middle, oldest] = await withFiles(user, many(3))
  await user.api.delete('/files', { json: { file_ids: [middle] } })
  const { body } = await user.api.get('/files')
  t.like(body, { total_files: 2, total_pages: 1, count: 2 })
  t.deepEqual(idsOf(body), [newest, oldest])
  t.is((await user.api.get('/files?upload_status=completed')).body.total_files, 2)
})

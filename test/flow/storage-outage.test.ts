import { access } from 'node:fs/promises'
import { join } from 'node:path'

import test from 'ava'
import type { ExecutionContext } from 'ava'

import { uploadForm } from '../support/api.ts'
import type { Api, ApiAnswer } from '../support/api.ts'
import { eventually } from '../support/eventually.ts'
import { aGateway } from '../support/gateway.ts'
import { twoRecordings } from '../support/media.ts'
import { aNatsServer } from '../support/nats.ts'
import { objectsIn, recordingsIn, uploadsIn } from '../support/on-disk.ts'
import { outages } from '../support/storage-outages.ts'

const impatient = { TRANSFER_RETRY_FIRST_MS: '20', TRANSFER_RETRY_LAST_MS: '100', SWEEP_MS: '50' }

for (const [how, takeAway] of Object.entries(outages)) {
  test(`files wait while storage has ${how} and end completed once it is back`, async (t) => {
    const { api, dataDir } = await aPlace(t)
    const giveBack = await takeAway(join(dataDir, 'objects'))
    const { status, body } = await api.post('/files/upload', twoFiles())
    t.is(status, 202, 'accepted means safe on disk, not in storage')
    await eventually('both were tried', async () => (await watch(api, body)).uploading === 2)
    t.like(await watch(api, body), { completed: 0, failed: 0 })
    const ready = (await api.get('/readyz')).body
    t.like(ready, { status: 'not ready', dependencies: { broker: 'ok' } })
    t.is(ready.dependencies.storage, 'The storage folder is gone; is its disk mounted?')

    await giveBack()
    await eventually('the upload completes', async () => (await watch(api, body)).status === 'completed')
    await eventually('the spool is empty', async () => (await uploadsIn(dataDir)).length === 0)
    t.is((await recordingsIn(dataDir)).length, 2)
    await eventually('it is ready', async () => (await api.get('/readyz')).status === 200)
  })

  test(`a deletion while storage has ${how} is answered, and the bytes go once it is back`, async (t) => {
    const { api, dataDir } = await aPlace(t)
    const { body } = await api.post('/files/upload', twoFiles())
    await eventually('the upload completes', async () => (await watch(api, body)).status === 'completed')
    const giveBack = await takeAway(join(dataDir, 'objects'))
    const fileIds = body.files.map((file: { file_id: string }) => file.file_id)
    const deleted = await api.delete('/files', { json: { file_ids: fileIds } })
    t.is(deleted.status, 200)
    t.like(deleted.body, { deleted_count: 2, storage_objects_deleted: 0 })
    t.is((await api.get('/files')).body.total_files, 0)

    await giveBack()
    await eventually('no object is left', async () => (await objectsIn(dataDir)).length === 0)
    t.is((await api.get(`/files/upload/${body.batch_upload_id}`)).status, 404)
  })
}

test('a file deleted while it waits for storage never reaches it', async (t) => {
  const { api, dataDir } = await aPlace(t)
  const giveBack = await outages.vanished(join(dataDir, 'objects'))
  const { body } = await api.post('/files/upload', twoFiles())
  await eventually('both were tried', async () => (await watch(api, body)).uploading === 2)
  const fileIds = body.files.map((file: { file_id: string }) => file.file_id)
  t.is((await api.delete('/files', { json: { file_ids: fileIds } })).status, 200)

  await giveBack()
  await eventually('the spool is empty', async () => (await uploadsIn(dataDir)).length === 0)
  t.deepEqual(await objectsIn(dataDir), [])
  t.is((await api.get('/files')).body.total_files, 0)
})

test('a file that storage does not take for too long ends failed, with the reason', async (t) => {
  const { api, dataDir } = await aPlace(t, { TRANSFER_GIVE_UP_SECONDS: '1' })
  const giveBack = await outages.vanished(join(dataDir, 'objects'))
  const { body } = await api.post('/files/upload', twoFiles())
  await eventually('both failed', async () => (await watch(api, body)).failed === 2)
  const upload = await watch(api, body)
  for (const file of upload.files)
    t.like(file, {
      upload_status: 'failed',
      error: 'Storage did not take the file for 1 seconds; upload it again.',
    })
  const listed = async (): Promise<number> => (await api.get('/files?upload_status=failed')).body.total_files
  await eventually('the list says so too', async () => (await listed()) === 2)
  await eventually('the spool is empty', async () => (await uploadsIn(dataDir)).length === 0)

  await giveBack()
  t.like(await watch(api, body), { failed: 2, completed: 0 })
  t.deepEqual(await objectsIn(dataDir), [])
})

test('a gateway that starts while storage is away makes no other store, and works once it is back', async (t) => {
  const nats = await aNatsServer(t)
  const before = await aGateway(t, nats, { environment: impatient })
  const { dataDir } = before
  await before.close()
  const folder = join(dataDir, 'objects')
  const giveBack = await outages.vanished(folder)

  const { api } = await aGateway(t, nats, { dataDir, environment: impatient })
  const { status, body } = await api.post('/files/upload', twoFiles())
  t.is(status, 202)
  await eventually('both were tried', async () => (await watch(api, body)).uploading === 2)
  await t.throwsAsync(access(folder), { code: 'ENOENT' })

  await giveBack()
  await eventually('the upload completes', async () => (await watch(api, body)).status === 'completed')
  t.is((await recordingsIn(dataDir)).length, 2)
})

/** A broker of its own: whoever shares one also keeps the promises of others, with its own storage. */
async function aPlace(t: ExecutionContext, environment: Record<string, string> = {}) {
  const nats = await aNatsServer(t)
  return aGateway(t, nats, { environment: { ...impatient, ...environment } })
}

function twoFiles(): { body: FormData } {
  return { body: uploadForm(...twoRecordings) }
}

async function watch(api: Api, accepted: { batch_upload_id: string }): Promise<ApiAnswer['body']> {
  return (await api.get(`/files/upload/${accepted.batch_upload_id}`)).body
}

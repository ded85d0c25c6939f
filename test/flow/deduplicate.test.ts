import { join } from 'node:path'

import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import test from 'ava'
import type { ExecutionContext } from 'ava'

import { openRecords } from '../../infra/nats/records/records.ts'
import { buckets } from '../../infra/nats/topology/topology.ts'
import type { BucketName } from '../../infra/nats/topology/topology.ts'
import { uploadForm } from '../support/api.ts'
import type { Api, ApiAnswer } from '../support/api.ts'
import { tapBroker } from '../support/broker-tap.ts'
import { eventually } from '../support/eventually.ts'
import { aFolder } from '../support/folder.ts'
import { aGateway, clientOf, gatewayEnvironment } from '../support/gateway.ts'
import { aNatsServer } from '../support/nats.ts'
import type { TestNats } from '../support/nats.ts'
import { objectsIn, recordingsIn } from '../support/on-disk.ts'
import { startVaak } from '../support/processes.ts'
import { aNoisyWav, beginByHand, pieceAt, storedBytesOf } from '../support/resumable.ts'

/** The same bytes by the same user are stored once. */

const content = aNoisyWav(24, 1)

async function send(api: Api, query = ''): Promise<ApiAnswer['body']> {
  const { status, body } = await api.post(`/files/upload${query}`, { body: uploadForm({ name: 'call.wav', content }) })
  if (status !== 202) throw new Error(`not accepted: ${status}`)
  return body
}

async function sendAndWait(api: Api, query = ''): Promise<ApiAnswer['body']> {
  const { batch_upload_id: id, files } = await send(api, query)
  await eventually('it is stored', async () => (await api.get(`/files/upload/${id}`)).body.status === 'completed')
  return files[0]
}

/** Only then others may refer to it. */
async function untilOffered(nats: TestNats): Promise<void> {
  await eventually('it is offered', async () => (await contentsIn(nats)).length > 0)
}

const contentsIn = (nats: TestNats): Promise<string[]> => keysIn(nats, buckets.contents)

async function keysIn(nats: TestNats, bucket: BucketName): Promise<string[]> {
  const connection = await nats.connect('looking')
  const client = { connection, js: jetstream(connection), jsm: await jetstreamManager(connection) }
  return (await openRecords(client, bucket)).keys()
}

for (const to of ['spool', 'storage'])
  test(`with UPLOAD_TO=${to} a file that comes again is stored once, told so, and outlives the first`, async (t) => {
    const nats = await aNatsServer(t)
    const gateway = await aGateway(t, nats, { environment: { UPLOAD_TO: to } })
    const { api, dataDir } = gateway
    const bytesOf = async (fileId: string): Promise<Buffer> => storedBytesOf(api, await gateway.tokenOf('asha'), fileId)
    const first = await sendAndWait(api)
    t.false('deduplicated' in first)
    await untilOffered(nats)
    const second = await sendAndWait(api)
    t.like(second, { deduplicated: true, same_as: first.file_id })
    t.not(second.file_id, first.file_id)
    // what came straight into storage goes when the answer is out
    await eventually('the bytes are there once', async () => (await recordingsIn(dataDir)).length === 1)
    const { body: listed } = await api.get('/files')
    t.deepEqual(
      listed.files.map((file: { same_as?: string }) => file.same_as),
      [first.file_id, undefined],
    )
    t.regex(listed.files[0].gcs_key, new RegExp(`/${second.file_id}$`))

    const gone = await api.delete('/files', { json: { file_ids: [first.file_id] } })
    t.like(gone.body, { deleted_count: 1, storage_objects_deleted: 0 })
    t.true((await bytesOf(second.file_id)).equals(content))
    const submitted = await api.post('/transcribe/batch', { json: { sources: [{ gcs_key: listed.files[0].gcs_key }] } })
    t.is(submitted.status, 200)
    const last = await api.delete('/files', { json: { file_ids: [second.file_id] } })
    t.like(last.body, { deleted_count: 1, storage_objects_deleted: 1 })
    t.deepEqual(await objectsIn(dataDir), [])
    t.deepEqual(await contentsIn(nats), [])
  })

test('deduplicate=false stores it again, and so does a server that is told to', async (t) => {
  const nats = await aNatsServer(t)
  const gateway = await aGateway(t, nats)
  const { api, dataDir } = gateway
  await sendAndWait(api)
  await untilOffered(nats)
  t.false('deduplicated' in (await sendAndWait(api, '?deduplicate=false')))
  t.is((await recordingsIn(dataDir)).length, 2)
  t.is((await api.post('/files/upload?deduplicate=no')).status, 400)
  await gateway.close()
  const off = await aGateway(t, nats, { dataDir, environment: { UPLOAD_DEDUPLICATE: 'false' } })
  t.false('deduplicated' in (await sendAndWait(off.api)))
  t.is((await recordingsIn(dataDir)).length, 3)
})

test('a resumable upload of the same bytes says so with its last byte and whenever it is asked', async (t) => {
  const nats = await aNatsServer(t)
  const { api, dataDir } = await aGateway(t, nats)
  const first = await sendAndWait(api)
  await untilOffered(nats)
  const address = await beginByHand(api, content.length)
  const { headers } = await api.patch(address, { headers: pieceAt(0), body: content })
  t.is(headers.get('Vaak-Deduplicated'), 'true')
  t.not(headers.get('Vaak-File-Id'), first.file_id)
  t.true((await api.get(address)).body.deduplicated)
  await eventually('it is stored once', async () => (await recordingsIn(dataDir)).length === 1)
})

test('each file counts for what its user may store, so that the other may go at any time', async (t) => {
  const nats = await aNatsServer(t)
  const environment = { QUOTA_STORED_BYTES: String(content.length * 2.5), UPLOAD_TO: 'storage' }
  const { api } = await aGateway(t, nats, { environment })
  const first = await sendAndWait(api)
  await untilOffered(nats)
  t.true((await sendAndWait(api)).deduplicated)
  const third = { body: uploadForm({ name: 'call.wav', content }) }
  t.is((await api.post('/files/upload', third)).status, 429)
  await api.delete('/files', { json: { file_ids: [first.file_id] } })
  t.is((await api.post('/files/upload', { body: uploadForm({ name: 'call.wav', content }) })).status, 202)
})

/** What time brings, a lease or a sign of life, is not in every one. */
const sentToCount = 6

type BrokerCost = Record<'batchedReads' | 'strongReads' | 'writes', number>

async function costOfUploads(t: ExecutionContext, environment: Record<string, string>): Promise<BrokerCost> {
  const nats = await aNatsServer(t)
  const { api } = await aGateway(t, nats, { environment })
  const tap = await tapBroker(await nats.connect())
  const costs: BrokerCost[] = []
  for (let sent = 0; sent < sentToCount; sent += 1) {
    tap.reset()
    const body = uploadForm({ name: 'call.wav', content: aNoisyWav(100 + sent, 1) })
    t.is((await api.post('/files/upload', { body })).status, 202)
    const batchedReads = tap.count('batched reads')
    await eventually('nothing is owed', async () => (await keysIn(nats, buckets.inHand)).length === 0)
    costs.push({ batchedReads, strongReads: tap.count('strong reads'), writes: tap.durableWrites() })
  }
  const least = (name: keyof BrokerCost): number => Math.min(...costs.map((cost) => cost[name]))
  return { batchedReads: least('batchedReads'), strongReads: least('strongReads'), writes: least('writes') }
}

for (const to of ['spool', 'storage'])
  test(`with UPLOAD_TO=${to} new bytes cost one batched read before the answer, and a read and a write after it`, async (t) => {
    const apart = await costOfUploads(t, { UPLOAD_TO: to, UPLOAD_DEDUPLICATE: 'false' })
    const once = await costOfUploads(t, { UPLOAD_TO: to })
    t.log({ apart, once })
    t.true(once.batchedReads <= apart.batchedReads + 1)
    t.true(once.strongReads <= apart.strongReads + 1)
    t.true(once.writes <= apart.writes + 1)
  })

async function aDyingGateway(t: ExecutionContext, nats: TestNats, environment: Record<string, string>) {
  const dataDir = await aFolder(t)
  const settings = gatewayEnvironment(nats, {
    dataDir,
    environment: { ...environment, FAULTS: 'transfer.after-blob:kill' },
  })
  const gateway = startVaak(t, ['gateway'], settings)
  return { gateway, ...(await clientOf(t, { url: await gateway.ready(), dataDir })) }
}

for (const to of ['spool', 'storage'])
  test(`with UPLOAD_TO=${to} a gateway that dies when it has joined and not told anybody leaves one object, which goes with the last file`, async (t) => {
    const nats = await aNatsServer(t)
    t.timeout(240_000)
    const folder = await aFolder(t)
    const environment = {
      STORAGE_URL: `disk:${join(folder, 'objects')}`,
      SPOOL_DIR: join(folder, 'spool'),
      // that one is dead is seen by its process; who only stands still on a busy machine is to come to its point, and die there
      GATEWAY_LEASE_MS: '9000',
      UPLOAD_TO: to,
    }
    const { api } = await aGateway(t, nats, { environment })
    await sendAndWait(api)
    await untilOffered(nats)
    const dying = await aDyingGateway(t, nats, environment)
    // it may have answered before
    await send(dying.api).catch(() => undefined)
    await dying.gateway.ended
    const files = await eventually('another has ended it', async () => {
      const { body } = await api.get('/files?upload_status=completed')
      return body.total_files === 2 ? body.files : undefined
    })
    const [newest, oldest] = files
    await api.delete('/files', { json: { file_ids: [oldest.file_id] } })
    await eventually('one is left', async () => (await recordingsIn(folder)).length === 1)
    t.is((await api.get(`/files/${newest.file_id}/audio?original=true`)).status, 200)
    await api.delete('/files', { json: { file_ids: [newest.file_id] } })
    await eventually('nothing is left', async () => (await objectsIn(folder)).length === 0)
    t.deepEqual(await contentsIn(nats), [])
  })

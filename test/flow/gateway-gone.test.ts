import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import test from 'ava'
import type { ExecutionContext } from 'ava'

import type { FaultPoint } from '../../actors/fault-points.ts'
import type { GatewayId } from '../../actors/ids.ts'
import type { Records } from '../../actors/ports.ts'
import { createPromiseKeeper } from '../../actors/purge/keep-promises.ts'
import type { GatewayLease } from '../../actors/upload/state.ts'
import { openGatewayStores } from '../../gateway/main-stores.ts'
import { openDiskBlobs } from '../../infra/blobs/disk.ts'
import { openRecords } from '../../infra/nats/records/records.ts'
import { clientOn } from '../../infra/nats/records/stores.ts'
import { buckets } from '../../infra/nats/topology/topology.ts'
import type { BucketName } from '../../infra/nats/topology/topology.ts'
import { noFaults } from '../../infra/process/faults.ts'
import { systemClock } from '../../infra/timing/clock.ts'
import { uploadForm } from '../support/api.ts'
import type { Api, ApiAnswer } from '../support/api.ts'
import { anUploadId } from '../support/builders.ts'
import { eventually } from '../support/eventually.ts'
import { aFolder } from '../support/folder.ts'
import { isFrozen } from '../support/frozen.ts'
import { aGateway, clientOf, gatewayEnvironment } from '../support/gateway.ts'
import type { TestGateway } from '../support/gateway.ts'
import { twoRecordings } from '../support/media.ts'
import { aNatsServer } from '../support/nats.ts'
import type { TestNats } from '../support/nats.ts'
import { recordingsIn } from '../support/on-disk.ts'
import { startVaak } from '../support/processes.ts'
import type { VaakProcess } from '../support/processes.ts'
import { silentLog } from '../support/silent-log.ts'
import { gatewaysIn, onlyGatewayIn, spoolContent } from '../support/spool-content.ts'

/** Gateways that never come back, and what others make of what they had accepted. */

test('files of a gateway that never returns end failed with a sentence when nobody can reach its spool', async (t) => {
  const place = await aPlace(t, { GATEWAY_GIVE_UP_SECONDS: '1' })
  const dead = await place.startToDie('transfer.after-begin')
  const accepted = await acceptedBy(place, dead)

  const { api } = await place.survivor()
  await eventually('both failed', async () => (await watch(api, accepted)).failed === 2)
  const ended = await watch(api, accepted)
  t.is(ended.status, 'failed')
  for (const file of ended.files)
    t.is(
      file.error,
      'The server that received this file has been gone for 1 seconds, and no other can reach its disk; upload it again.',
    )
  const listed = async (): Promise<number> => (await api.get('/files?upload_status=failed')).body.total_files
  await eventually('the list says so too', async () => (await listed()) === 2)

  const again = await aGateway(t, place.nats, { dataDir: dead.dataDir, environment: place.environment })
  t.is((await watch(again.api, accepted)).failed, 2, 'what has ended stays as it ended')
})

test('what a gateway that never returns had brought to storage is completed', async (t) => {
  const place = await aPlace(t, { GATEWAY_GIVE_UP_SECONDS: '1', TRANSFER_CONCURRENCY: '1' })
  const dead = await place.startToDie('transfer.after-blob')
  const accepted = await acceptedBy(place, dead)

  const { api } = await place.survivor()
  await eventually('both ended', async () => (await watch(api, accepted)).status === 'partial')
  t.like(await watch(api, accepted), { completed: 1, failed: 1 })
})

test('an upload that was never answered is cleared away with the gateway that received it', async (t) => {
  const place = await aPlace(t, { GATEWAY_GIVE_UP_SECONDS: '1' })
  const dead = await place.startToDie('upload.after-file-records')
  await t.throwsAsync(upload(dead.api))
  await dead.gateway.ended
  const waits = await place.keysOf(buckets.inHand)
  t.is(waits.length, 1)

  const { api } = await place.survivor()
  await eventually('nothing is in hand', async () => (await place.keysOf(buckets.inHand)).length === 0)
  t.deepEqual(await place.keysOf(buckets.files), [])
  t.is((await api.get('/files')).body.total_files, 0)
  const again = await aGateway(t, place.nats, { dataDir: dead.dataDir, environment: place.environment })
  t.is((await again.api.get('/files')).body.total_files, 0)
})

for (const point of [
  'upload.after-accept',
  'transfer.after-begin',
  'transfer.after-blob',
  'transfer.after-listing',
] as const)
  test(`files of a gateway that never returns after ${point} are completed by another that shares its spool`, async (t) => {
    const place = await aPlace(t)
    const { SPOOL_DIR: spoolFolder } = place.sharing
    const { api } = await aGateway(t, place.nats, { environment: place.sharing })
    const dead = await place.startToDie(point, place.sharing)
    const first = await upload(dead.api).catch(() => undefined)
    await dead.gateway.ended

    const listed = await eventually('both are there', async () => {
      const { body } = await api.get('/files?upload_status=completed')
      return body.total_files === 2 ? body : undefined
    })
    if (first) t.is((await watch(api, first.body)).status, 'completed')
    t.is(new Set(listed.files.map((file: { batch_upload_id: string }) => file.batch_upload_id)).size, 1)
    await eventually('the spools are empty', async () => (await spoolContent(spoolFolder)).length === 0)
    await eventually('the spool of the dead is gone', async () => (await gatewaysIn(spoolFolder)).length === 1)
    await eventually('its lease too', async () => (await place.keysOf(buckets.leases)).length === 1)
    t.is((await place.keysOf(buckets.inHand)).length, 0)
    await storedAre(place.folder, 2)
  })

test('a gateway that stands still while another takes over its spool goes on without harm', async (t) => {
  const place = await aPlace(t)
  const frozen = await place.startToFreeze('transfer.after-begin', place.sharing)
  const first = upload(frozen.api)
  await eventually('it stands still', () => isFrozen(frozen.gateway.pid))
  const survivor = await aGateway(t, place.nats, { environment: place.sharing })
  await eventually('the other has completed them', async () => {
    const { body } = await survivor.api.get('/files?upload_status=completed')
    return body.total_files === 2
  })
  frozen.gateway.signal('SIGCONT')
  t.is((await first).status, 202)
  const key = randomUUID()
  const second = await eventually('it receives in a spool of its own again', async () => {
    const answer = await upload(frozen.api, key)
    return answer.status === 202 ? answer : undefined
  })
  await eventually(
    'that completes as well',
    async () => (await watch(survivor.api, second.body)).status === 'completed',
  )
  await eventually('the spools are empty', async () => (await spoolContent(place.sharing.SPOOL_DIR)).length === 0)
  // the same bytes once more
  await storedAre(place.folder, 2)
  t.like((await survivor.api.get('/files')).body, { total_files: 4 })
})

test('what a gateway that stands still has half received is left to it when its spool is taken over', async (t) => {
  const place = await aPlace(t)
  const { SPOOL_DIR: spoolFolder } = place.sharing
  const frozen = await place.startToFreeze('upload.after-receive', place.sharing)
  const gatewayId = await onlyGatewayIn(spoolFolder)
  const first = upload(frozen.api)
  await eventually('it stands still', () => isFrozen(frozen.gateway.pid))
  const holder = await place.holderOf(gatewayId)
  const survivor = await aGateway(t, place.nats, { environment: place.sharing })
  await eventually('the other has taken its spool', async () => (await place.holderOf(gatewayId)) !== holder)

  frozen.gateway.signal('SIGCONT')
  const { status, body } = await first
  t.is(status, 202)
  await eventually('it completes', async () => (await watch(survivor.api, body)).status === 'completed')
  await eventually('the spools are empty', async () => (await spoolContent(spoolFolder)).length === 0)
  await storedAre(place.folder, 2)
})

for (const [title, deleted] of [
  ['one of two files that was', 1],
  ['files that were', 2],
] as const)
  test(`${title} deleted while their gateway was away, for longer than anybody comes late, do not come back with it`, async (t) => {
    const place = await aPlace(t)
    // seen by everybody, and on its own disk not known to be so
    const dead = await place.startToDie('upload.after-listing')
    await acceptedBy(place, dead)
    const { api } = await place.survivor()
    const { files } = (await api.get('/files')).body
    const fileIds = files.slice(0, deleted).map((file: { file_id: string }) => file.file_id)
    t.is((await api.delete('/files', { json: { file_ids: fileIds } })).status, 200)
    await place.letHourPass()
    t.is((await place.keysOf(buckets.purges)).length, 1, 'it may still come')

    await aGateway(t, place.nats, { dataDir: dead.dataDir, environment: place.environment })
    await eventually('nothing is in hand', async () => (await place.keysOf(buckets.inHand)).length === 0)
    const listed = (await api.get('/files')).body
    t.deepEqual([listed.total_files, listed.count], [2 - deleted, 2 - deleted])
    t.is((await place.keysOf(buckets.files)).length, 2 - deleted)
    await storedAre(place.folder, 2 - deleted)
    await place.letHourPass()
    t.deepEqual(await place.keysOf(buckets.purges), [])
  })

test('two gateways on one spool delete nothing of each other', async (t) => {
  const place = await aPlace(t)
  const { SPOOL_DIR: spoolFolder } = place.sharing
  const one = await aGateway(t, place.nats, { environment: place.sharing })
  const receiving = join(spoolFolder, `gateway-${await onlyGatewayIn(spoolFolder)}`, `incoming-${anUploadId()}`)
  await mkdir(receiving)
  await writeFile(join(receiving, 'half'), 'received')
  const two = await aGateway(t, place.nats, { environment: place.sharing })
  t.is((await gatewaysIn(spoolFolder)).length, 2)
  const [first, second] = await Promise.all([upload(one.api), upload(two.api)])
  await eventually('both complete', async () => {
    const all = await Promise.all([watch(one.api, first.body), watch(two.api, second.body)])
    return all.every(({ status }) => status === 'completed')
  })
  t.deepEqual(await readdir(receiving), ['half'])
})

test('a spool that the broker does not know is left alone', async (t) => {
  const place = await aPlace(t)
  const { SPOOL_DIR: spoolFolder } = place.sharing
  const foreign = join(spoolFolder, `gateway-${anUploadId()}`, anUploadId())
  await mkdir(foreign, { recursive: true })
  await aGateway(t, place.nats, { environment: place.sharing })
  t.is((await gatewaysIn(spoolFolder)).length, 2)
  t.deepEqual(await readdir(foreign), [])
})

test('what a version left that had the whole folder to itself is taken up', async (t) => {
  const place = await aPlace(t)
  const dead = await place.startToDie('transfer.after-begin')
  const accepted = await acceptedBy(place, dead)
  const spool = join(dead.dataDir, 'spool')
  const gatewayId = await onlyGatewayIn(spool)
  const old = join(await aFolder(t), 'spool')
  await mkdir(old)
  for (const name of await readdir(join(spool, `gateway-${gatewayId}`)))
    await rename(join(spool, `gateway-${gatewayId}`, name), join(old, name))
  await writeFile(join(old, 'gateway-id'), anUploadId())
  await rm(spool, { recursive: true })
  await rename(old, spool)

  const { api } = await aGateway(t, place.nats, { dataDir: dead.dataDir, environment: place.environment })
  await eventually('the upload completes', async () => (await watch(api, accepted)).status === 'completed')
  t.false((await readdir(spool)).includes('gateway-id'))
})

interface Dying {
  readonly gateway: VaakProcess
  readonly api: Api
  readonly dataDir: string
}

interface Place {
  readonly nats: TestNats
  /** Has the objects. */
  readonly folder: string
  readonly environment: Record<string, string>
  /** The same, and one spool for all. */
  readonly sharing: Record<string, string> & { readonly SPOOL_DIR: string }
  startToDie(point: FaultPoint, environment?: Record<string, string>): Promise<Dying>
  startToFreeze(point: FaultPoint, environment?: Record<string, string>): Promise<Dying>
  /** With a disk of its own. */
  survivor(): Promise<TestGateway>
  keysOf(bucket: BucketName): Promise<string[]>
  holderOf(gatewayId: GatewayId): Promise<string | undefined>
  /** To who keeps the promises of deletions. */
  letHourPass(): Promise<void>
}

/** A broker of its own: whoever shares one also ends what others left. */
async function aPlace(t: ExecutionContext, more: Record<string, string> = {}): Promise<Place> {
  const nats = await aNatsServer(t)
  // from its turn on
  t.timeout(240_000)
  const folder = await aFolder(t)
  const environment: Record<string, string> = {
    STORAGE_URL: `disk:${join(folder, 'objects')}`,
    GATEWAY_LEASE_MS: '900',
    TRANSFER_RETRY_FIRST_MS: '20',
    SWEEP_MS: '200',
    ...more,
  }
  const start = async (faults: string, given = environment): Promise<Dying> => {
    const dataDir = await aFolder(t)
    const settings = gatewayEnvironment(nats, { dataDir, environment: { ...given, FAULTS: faults } })
    const gateway = startVaak(t, ['gateway'], settings)
    const { api } = await clientOf(t, { url: await gateway.ready(), dataDir })
    return { gateway, api, dataDir }
  }
  const connection = await nats.connect('looking')
  const recordsIn = async <Value>(bucket: BucketName): Promise<Records<Value>> =>
    openRecords<Value>({ connection, js: jetstream(connection), jsm: await jetstreamManager(connection) }, bucket)
  return {
    nats,
    folder,
    environment,
    sharing: { ...environment, SPOOL_DIR: join(folder, 'spool') },
    startToDie: (point, given) => start(`${point}:kill`, given),
    startToFreeze: (point, given) => start(`${point}:freeze`, given),
    survivor: () => aGateway(t, nats, { environment }),
    keysOf: async (bucket) => (await recordsIn(bucket)).keys(),
    async holderOf(gatewayId) {
      const leases: Records<GatewayLease> = await recordsIn(buckets.leases)
      return (await leases.read(gatewayId))?.value.holder
    },
    async letHourPass() {
      const stores = await openGatewayStores(await clientOn(connection, { isAway: () => false }))
      const blobs = await openDiskBlobs({ folder: join(folder, 'objects'), log: silentLog })
      const ports = { ...stores, blobs, clock: systemClock, log: silentLog, faults: noFaults, nextPurgeId: randomUUID }
      const keeper = createPromiseKeeper(ports, 0)
      // sees that it is done, and the next time that this was long ago
      for (let times = 0; times < 2; times += 1) await keeper.keep()
    },
  }
}

function upload(api: Api, key = randomUUID()): Promise<ApiAnswer> {
  return api.post('/files/upload', { body: uploadForm(...twoRecordings), headers: { 'Idempotency-Key': key } })
}

/** Whether its answer was out before it died is a matter of luck; that it had accepted is written down. */
async function acceptedBy(place: Place, { api, gateway }: Dying): Promise<{ batch_upload_id: string }> {
  await upload(api).catch(() => undefined)
  await gateway.ended
  const [uploadId = ''] = await place.keysOf(buckets.uploads)
  return { batch_upload_id: uploadId }
}

async function watch(api: Api, accepted: { batch_upload_id: string }): Promise<ApiAnswer['body']> {
  return (await api.get(`/files/upload/${accepted.batch_upload_id}`)).body
}

/** Who stood still may be writing what is there already once more, so the half-written are given time to go. */
async function storedAre(folder: string, recordings: number): Promise<void> {
  const isSo = async (): Promise<boolean> => (await recordingsIn(folder)).length === recordings
  await eventually(`${recordings} recordings are stored`, isSo)
}

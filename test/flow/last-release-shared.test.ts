import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import test from 'ava'
import type { ExecutionContext } from 'ava'

import { inHandKey } from '../../actors/ids.ts'
import { openGatewayStores } from '../../gateway/main-stores.ts'
import { clientOn } from '../../infra/nats/records/stores.ts'
import { uploadForm } from '../support/api.ts'
import type { Api, ApiAnswer } from '../support/api.ts'
import { aGatewayId } from '../support/builders.ts'
import { eventually } from '../support/eventually.ts'
import { buildLastRelease, lastReleaseIsKnown } from '../support/last-release.ts'
import { objectsIn, uploadsIn } from '../support/on-disk.ts'
import { aNoisyWav, storedBytesOf } from '../support/resumable.ts'
import { testWhere } from '../support/test-where.ts'
import { aClusterOfVersions } from '../support/two-versions.ts'
import type { ClusterOfVersions } from '../support/two-versions.ts'

/** The last release knows nothing of bytes that several files refer to, and runs beside those who do. */

/** A copy of this repository may come without its history. */
const testWithHistory = await testWhere('files that share beside the last release', lastReleaseIsKnown, {
  mustRunInCi: false,
})

const releaseFolder = await mkdtemp(join(tmpdir(), 'vaak-last-release-'))
test.after.always(() => rm(releaseFolder, { recursive: true, force: true }))
let building: Promise<string> | undefined

const content = aNoisyWav(61, 1)

interface Sharing {
  readonly cluster: ClusterOfVersions
  readonly stores: Awaited<ReturnType<typeof openGatewayStores>>
  readonly old: { readonly program: string }
  /** Of a gateway of this version. */
  readonly api: Api
  readonly isWhole: (fileId: string) => Promise<boolean>
  /** Resolves with a file that refers to what is stored. */
  readonly sendAgain: () => Promise<ApiAnswer['body']>
}

async function aScene(t: ExecutionContext, environment: Record<string, string> = {}): Promise<Sharing> {
  t.timeout(240_000)
  const cluster = await aClusterOfVersions(t)
  const old = { program: await (building ??= buildLastRelease(releaseFolder)) }
  const gateway = await cluster.gateway({ environment })
  const stores = await openGatewayStores(await clientOn(await cluster.nats.connect('looking'), { isAway: () => false }))
  const { api } = gateway
  return {
    cluster,
    stores,
    old,
    api,
    async isWhole(fileId) {
      return content.equals(await storedBytesOf(api, await gateway.tokenOf('asha'), fileId))
    },
    async sendAgain() {
      await eventually('it is offered', async () => (await stores.contents.keys()).length > 0)
      const file = await send(api)
      t.true(file.deduplicated)
      return file
    },
  }
}

async function send(api: Api): Promise<ApiAnswer['body']> {
  const { body } = await api.post('/files/upload', { body: uploadForm({ name: 'call.wav', content }) })
  const { batch_upload_id: id, files } = body
  await eventually('it is stored', async () => (await api.get(`/files/upload/${id}`)).body.status === 'completed')
  return files[0]
}

testWithHistory(
  'what the last release is asked to delete stays whole for the other file, and is deleted by a newer one',
  async (t) => {
    const { cluster, old, api, isWhole, sendAgain } = await aScene(t, { SWEEP_MS: '60000' })
    const [first, second] = [await send(api), await sendAgain()]
    const { body: listed } = await api.get('/files')
    const sources = [{ gcs_key: listed.files.at(-1).gcs_key }]
    const submitted = await api.post('/transcribe/batch', { json: { sources } })
    t.is(submitted.status, 200)
    const before = await cluster.gateway(old)
    t.is((await before.api.delete(`/transcribe/batch/${submitted.body.batch_id}?files=true`)).status, 503)
    t.is((await before.api.delete('/files', { json: { file_ids: [first.file_id] } })).status, 503)
    t.is((await before.api.delete('/files', { json: { file_ids: [second.file_id] } })).status, 503)
    t.true(await isWhole(first.file_id))
    t.true(await isWhole(second.file_id))
    t.deepEqual(await before.process.stop(), { code: 0, signal: null })
    // what keeps the promises that the other gave
    await cluster.gateway()
    await eventually('the first is gone', async () => (await api.get('/files')).body.total_files === 1)
    t.true(await isWhole(second.file_id))
    // the bytes go with whichever of the two is forgotten last
    t.is((await api.delete('/files', { json: { file_ids: [second.file_id] } })).status, 200)
    await eventually('nothing is left', async () => (await objectsIn(cluster.folder)).length === 0)
  },
)

const atOnce = { RETAIN_AUDIO_DAYS: '0.0000001' }

testWithHistory(
  'retention by the last release leaves files that share to a newer one, which takes their bytes with the last',
  async (t) => {
    const { cluster, old, api, isWhole, sendAgain } = await aScene(t)
    const [first, second] = [await send(api), await sendAgain()]
    const before = await cluster.worker({ ...old, environment: { ...atOnce, LOG_LEVEL: 'warn' } })
    await eventually('it has tried', () => before.stderr.includes('sweep failed'))
    t.true(await isWhole(first.file_id))
    t.true(await isWhole(second.file_id))
    t.deepEqual(await before.stop(), { code: 0, signal: null })
    await cluster.worker({ environment: atOnce })
    await eventually('both are gone', async () => (await api.get('/files')).body.total_files === 0)
    await eventually('nothing is left', async () => (await objectsIn(cluster.folder)).length === 0)
  },
)

testWithHistory(
  'what a dead gateway had put into storage is not cleared away by the last release where another file refers to it',
  async (t) => {
    const { cluster, stores, old, api, isWhole, sendAgain } = await aScene(t, { UPLOAD_TO: 'storage' })
    const [first, second] = [await send(api), await sendAgain()]
    const { owner, uploadId, fileId, sha256 } = (await stores.files.read(first.file_id))!.value
    // as it is when a gateway dies that has done everything but forget the upload
    const gatewayId = aGatewayId()
    const note = { gatewayId, owner, uploadId, fileIds: [fileId], hashes: [sha256], isStreamed: true } as const
    await stores.inHand.create(inHandKey(note), note)
    await api.delete('/files', { json: { file_ids: [fileId] } })
    const before = await cluster.gateway({ ...old, environment: { GATEWAY_LEASE_MS: '300', LOG_LEVEL: 'warn' } })
    await stores.leases.create(gatewayId, {})
    await eventually(
      'it has looked',
      async () => before.process.stderr.includes('was not looked after') || (await stores.inHand.keys()).length === 0,
    )
    t.true(await isWhole(second.file_id))
    t.deepEqual(await before.process.stop(), { code: 0, signal: null })
    await cluster.gateway({ environment: { GATEWAY_LEASE_MS: '300' } })
    await eventually('a newer one clears it away', async () => (await stores.inHand.keys()).length === 0)
    t.true(await isWhole(second.file_id))
  },
)

testWithHistory(
  'what waits in a spool that the last release takes over is not removed where another file refers to it',
  async (t) => {
    const { cluster, old, api, isWhole, sendAgain } = await aScene(t)
    const dying = await cluster.gateway({ environment: { FAULTS: 'transfer.after-listing:kill' } })
    const first = (await dying.api.post('/files/upload', { body: uploadForm({ name: 'call.wav', content }) })).body
      .files[0]
    await dying.process.ended
    const second = await sendAgain()
    await api.delete('/files', { json: { file_ids: [first.file_id] } })
    t.is((await uploadsIn(dying.dataDir)).length, 1)
    const before = await cluster.gateway({ ...old, dataDir: dying.dataDir, environment: { LOG_LEVEL: 'warn' } })
    await eventually(
      'it has tried',
      async () => before.process.stderr.includes('upload step failed') || (await uploadsIn(dying.dataDir)).length === 0,
    )
    t.true(await isWhole(second.file_id))
    t.deepEqual(await before.process.stop(), { code: 0, signal: null })
    await cluster.gateway({ dataDir: dying.dataDir })
    await eventually('a newer one forgets it', async () => (await uploadsIn(dying.dataDir)).length === 0)
    t.true(await isWhole(second.file_id))
    await api.delete('/files', { json: { file_ids: [second.file_id] } })
    await eventually('nothing is left', async () => (await objectsIn(cluster.folder)).length === 0)
  },
)

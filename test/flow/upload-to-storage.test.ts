import { createHash, randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'

import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import test from 'ava'
import type { ExecutionContext } from 'ava'

import type { FaultPoint } from '../../actors/fault-points.ts'
import { openRecords } from '../../infra/nats/records/records.ts'
import { buckets } from '../../infra/nats/topology/topology.ts'
import { uploadForm } from '../support/api.ts'
import type { Api, ApiAnswer } from '../support/api.ts'
import { cephOrSkip } from '../support/ceph.ts'
import { eventually } from '../support/eventually.ts'
import { aFolder } from '../support/folder.ts'
import { aGateway, clientOf, gatewayEnvironment } from '../support/gateway.ts'
import type { TestGateway } from '../support/gateway.ts'
import { aWav, twoRecordings } from '../support/media.ts'
import { aMultipart, multipartType } from '../support/multipart.ts'
import { aNatsServer } from '../support/nats.ts'
import type { TestNats } from '../support/nats.ts'
import { objectsIn, recordingsIn, uploadsIn } from '../support/on-disk.ts'
import { startVaak } from '../support/processes.ts'
import type { VaakProcess } from '../support/processes.ts'
import { head, rawConnection } from '../support/raw-http.ts'
import { beginByHand, pieceAt, storedBytesOf } from '../support/resumable.ts'

/** Uploads that go straight into storage. */

const mebibyte = 1024 * 1024

const ceph = await cephOrSkip('uploads that go straight into a real S3 server')
test.after.always('stop Ceph', () => ceph?.stop())

/** Longer than three parts of a multipart upload. */
const long = { name: 'long.wav', content: aWav({ seconds: 900 }) }

interface Kind {
  readonly what: string
  readonly storage: (folder: string) => Record<string, string>
}

const kinds: Kind[] = [
  {
    what: 'a folder',
    storage: (folder) => ({ STORAGE_URL: `disk:${join(folder, 'objects')}`, UPLOAD_TO: 'storage' }),
  },
  ...(ceph
    ? [
        {
          what: 'S3, where that is the default',
          storage: () => ({
            STORAGE_URL: `s3://${ceph.bucket}?endpoint=${ceph.endpoint}&prefix=${randomBytes(8).toString('hex')}/`,
            STORAGE_ACCESS_KEY_ID: ceph.accessKeyId,
            STORAGE_SECRET_ACCESS_KEY: ceph.secretAccessKey,
          }),
        },
      ]
    : []),
]

for (const { what, storage } of kinds)
  test(`what was accepted into ${what} survives the loss of the gateway and of its disk`, async (t) => {
    const place = await aPlace(t, storage)
    const lost = await place.start()
    t.true(long.content.length > 24 * mebibyte)
    const { status, body } = await lost.api.post('/files/upload', { body: uploadForm(long, ...twoRecordings) })
    t.is(status, 202)
    await lost.gateway.kill9()
    await rm(lost.dataDir, { recursive: true })

    const survivor = await place.survivor()
    const { api, url } = survivor
    const kept = await watch(api, body)
    t.like(kept, { status: 'completed', completed: 3 })
    t.is((await api.get('/files?upload_status=completed')).body.total_files, 3)
    for (const [at, { content }] of [long, ...twoRecordings].entries()) {
      const answer = await fetch(`${url}/files/${kept.files[at].file_id}/audio`, {
        headers: { Authorization: `Bearer ${await survivor.tokenOf('asha')}` },
      })
      t.is(sha256(Buffer.from(await answer.arrayBuffer())), sha256(content))
    }
    const submitted = await api.post('/transcribe/batch', { json: { batch_upload_id: body.batch_upload_id } })
    t.is(submitted.status, 200)
    await eventually('nothing is in hand', async () => (await place.inHand()).length === 0)
  })

for (const { what, storage } of kinds)
  test(`what a gateway acknowledged of a resumable upload into ${what} is gone on with when it and its disk are lost`, async (t) => {
    const place = await aPlace(t, storage)
    const lost = await place.start()
    const { content } = long
    const half = 17 * mebibyte
    const address = await beginByHand(lost.api, content.length)
    t.is((await lost.api.patch(address, { headers: pieceAt(0), body: content.subarray(0, half) })).status, 204)
    await lost.gateway.kill9()
    await rm(lost.dataDir, { recursive: true })

    const survivor = await place.survivor()
    const { api } = survivor
    t.is((await api.get(address)).body.received_bytes, half)
    const last = await api.patch(address, { headers: pieceAt(half), body: content.subarray(half) })
    t.is(last.status, 204)
    const stored = await storedBytesOf(api, await survivor.tokenOf('asha'), last.headers.get('Vaak-File-Id') ?? '')
    t.is(sha256(stored), sha256(content))
    t.is((await api.get('/files/resumable')).body.count, 0)
  })

for (const point of ['upload.after-receive', 'upload.after-commit', 'upload.after-file-records'] as const)
  test(`what a gateway had put into storage when it died at ${point} is removed by another`, async (t) => {
    const place = await aPlace(t, kinds[0]!.storage)
    const dead = await place.start(point)
    await t.throwsAsync(upload(dead.api))
    await dead.gateway.ended
    t.is((await recordingsIn(place.folder)).length, 2)
    t.is((await place.inHand()).length, 1)

    const { api } = await place.survivor()
    await eventually('nothing is in hand', async () => (await place.inHand()).length === 0)
    t.deepEqual(await objectsIn(place.folder), [])
    t.is((await api.get('/files')).body.total_files, 0)
  })

test('what was accepted by a gateway that died before it was listed is listed by another', async (t) => {
  const place = await aPlace(t, kinds[0]!.storage)
  const dead = await place.start('upload.after-upload-record')
  await t.throwsAsync(upload(dead.api))
  await dead.gateway.ended

  const { api } = await place.survivor()
  await eventually('nothing is in hand', async () => (await place.inHand()).length === 0)
  t.is((await api.get('/files?upload_status=completed')).body.total_files, 2)
  t.is((await recordingsIn(place.folder)).length, 2)
})

test('what is refused, broken off or not audio leaves nothing in storage', async (t) => {
  const place = await aPlace(t, kinds[0]!.storage)
  const survivor = await place.survivor()
  const { api, url, dataDir } = survivor
  const text = { name: 'notes.txt', content: Buffer.from('no audio '.repeat(100)) }
  t.is((await api.post('/files/upload', { body: uploadForm(text) })).status, 400)
  const mixed = await api.post('/files/upload', { body: uploadForm(text, twoRecordings[0]) })
  t.is(mixed.status, 202)
  t.is(mixed.body.rejected_files.length, 1)
  await eventually('nothing is in hand', async () => (await place.inHand()).length === 0)
  t.is((await recordingsIn(place.folder)).length, 1)

  const connection = await rawConnection(t, url)
  const whole = aMultipart({ content: aWav({ seconds: 20 }) })
  await connection.send(
    head(
      'POST /files/upload HTTP/1.1',
      'Host: vaak',
      `Authorization: Bearer ${await survivor.tokenOf('asha')}`,
      `Content-Type: ${multipartType}`,
      `Content-Length: ${whole.length}`,
    ),
    whole.subarray(0, whole.length - 1000),
  )
  await eventually('it is being received', async () => (await place.inHand()).length === 1)
  connection.socket.destroy()
  await eventually('it is forgotten', async () => (await place.inHand()).length === 0)
  t.is((await recordingsIn(place.folder)).length, 1)
  t.deepEqual(await uploadsIn(dataDir), [], 'the spool is not used')
})

test('the room that SPOOL_RESERVE_BYTES keeps free is not given to an upload into a folder either', async (t) => {
  const place = await aPlace(t, (folder) => ({ ...kinds[0]!.storage(folder), SPOOL_RESERVE_BYTES: '1024TiB' }))
  const { api } = await place.survivor()
  const { status, body } = await upload(api)
  t.is(status, 503)
  t.regex(body.detail, /^This server has no room for an upload of \d+ bytes at the moment\./)
  t.deepEqual(await place.inHand(), [])
})

test('storage that is away refuses an upload with a reason, and what came before is taken back', async (t) => {
  const place = await aPlace(t, () => ({
    STORAGE_URL: 's3://nobody?endpoint=http://127.0.0.1:9',
    STORAGE_ACCESS_KEY_ID: 'id',
    STORAGE_SECRET_ACCESS_KEY: 'key',
  }))
  const { api } = await place.survivor()
  const { status, body, headers } = await upload(api)
  t.is(status, 503)
  t.regex(body.detail, /object store cannot be reached/)
  t.truthy(headers.get('retry-after'))
  t.is((await api.get('/files')).body.total_files, 0)
})

interface Started {
  readonly gateway: VaakProcess
  readonly api: Api
  readonly dataDir: string
}

interface Place {
  readonly nats: TestNats
  /** Has the objects, where they are on disk. */
  readonly folder: string
  start(point?: FaultPoint): Promise<Started>
  /** With a disk of its own. */
  survivor(): Promise<TestGateway>
  inHand(): Promise<string[]>
}

async function aPlace(t: ExecutionContext, storage: Kind['storage']): Promise<Place> {
  const nats = await aNatsServer(t)
  // from its turn on
  t.timeout(240_000)
  const folder = await aFolder(t)
  const environment = { GATEWAY_LEASE_MS: '900', ...storage(folder) }
  const connection = await nats.connect('looking')
  return {
    nats,
    folder,
    async start(point) {
      const dataDir = await aFolder(t)
      const faults = point === undefined ? {} : { FAULTS: `${point}:kill` }
      const settings = gatewayEnvironment(nats, { dataDir, environment: { ...environment, ...faults } })
      const gateway = startVaak(t, ['gateway'], settings)
      const { api } = await clientOf(t, { url: await gateway.ready(), dataDir })
      return { gateway, api, dataDir }
    },
    survivor: () => aGateway(t, nats, { environment }),
    async inHand() {
      const client = { connection, js: jetstream(connection), jsm: await jetstreamManager(connection) }
      return (await openRecords(client, buckets.inHand)).keys()
    },
  }
}

function upload(api: Api): Promise<ApiAnswer> {
  return api.post('/files/upload', { body: uploadForm(...twoRecordings) })
}

async function watch(api: Api, accepted: { batch_upload_id: string }): Promise<ApiAnswer['body']> {
  return (await api.get(`/files/upload/${accepted.batch_upload_id}`)).body
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

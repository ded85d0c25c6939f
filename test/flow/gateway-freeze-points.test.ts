import { join } from 'node:path'

import test from 'ava'
import type { ExecutionContext } from 'ava'

import type { FaultPoint } from '../../actors/fault-points.ts'
import { claimKey } from '../../gateway/idempotency.ts'
import type { ClaimScope } from '../../gateway/idempotency.ts'
import { uploadForm } from '../support/api.ts'
import type { Api, ApiAnswer } from '../support/api.ts'
import { batchesIn } from '../support/batches.ts'
import { eventually } from '../support/eventually.ts'
import { pointsOf } from '../support/fault-scenes.ts'
import { aFolder } from '../support/folder.ts'
import { isFrozen } from '../support/frozen.ts'
import { aGateway, clientOf, gatewayEnvironment } from '../support/gateway.ts'
import type { TestGateway } from '../support/gateway.ts'
import { twoRecordings } from '../support/media.ts'
import { startTestNats } from '../support/nats.ts'
import type { TestNats } from '../support/nats.ts'
import { objectsIn, recordingsIn, uploadsIn } from '../support/on-disk.ts'
import { startVaak } from '../support/processes.ts'
import type { VaakProcess } from '../support/processes.ts'
import { ownerOf } from '../support/service.ts'
import { onlyGatewayIn } from '../support/spool-content.ts'
import { storedIn } from '../support/stored.ts'

/** Gateways that stand still in the middle of a request until another has answered it, and then go on. */

let nats: TestNats
test.before(async () => {
  nats = await startTestNats()
})
test.after.always(() => nats.stop())

const stepsMs = 60_000
const key = 'the-same'
const underKey = { headers: { 'Idempotency-Key': key } }

for (const point of pointsOf('upload'))
  test.serial(`an upload frozen at ${point} and taken over by another gateway makes no second one`, async (t) => {
    const place = await aPlace(t, point)
    const ask = (api: Api): Promise<ApiAnswer> =>
      api.post('/files/upload', { body: uploadForm(...twoRecordings), ...underKey })
    const first = ask(place.slow)
    await place.frozen()
    await place.giveClaimToHeir('upload')
    const second = await ask(place.heir)
    t.is(second.status, 202)

    place.goOn()
    const late = await first
    if (late.status === 202) t.deepEqual(late.body, second.body)
    else t.is(late.status, 409)
    const { batch_upload_id: uploadId } = second.body
    await eventually('the upload completes', async () => {
      const { body } = await place.heir.get(`/files/upload/${uploadId}`)
      return body.status === 'completed'
    })
    await place.spoolsAreEmpty()
    t.like((await place.heir.get('/files')).body, { total_files: 2, count: 2 })
    t.is((await recordingsIn(place.dataDir)).length, 2)
    t.deepEqual((await ask(place.slow)).body, second.body)
  })

for (const point of pointsOf('transfer'))
  test.serial(`what is deleted while its gateway is frozen at ${point} leaves nothing when it goes on`, async (t) => {
    const place = await aPlace(t, point)
    // it may come to the point before it has answered
    const first = place.slow.post('/files/upload', { body: uploadForm(...twoRecordings) })
    await place.frozen()
    const { body } = await place.heir.get('/files')
    const fileIds = body.files.map((file: { file_id: string }) => file.file_id)
    t.is(fileIds.length, 2)
    t.is((await place.heir.delete('/files', { json: { file_ids: fileIds } })).status, 200)

    place.goOn()
    t.is((await first).status, 202)
    await place.spoolsAreEmpty()
    await holdsNothing(t, place)
  })

for (const point of pointsOf('submit'))
  test.serial(`a submission frozen at ${point} and taken over by another gateway makes no second one`, async (t) => {
    const place = await aPlace(t, point)
    const sources = Array.from({ length: 101 }, (_, at) => ({ url: `https://example.org/${at}.mp3` }))
    const ask = (api: Api): Promise<ApiAnswer> => api.post('/transcribe/batch', { json: { sources }, ...underKey })
    const first = ask(place.slow)
    await place.frozen()
    await place.giveClaimToHeir('batch')
    const second = await ask(place.heir)
    t.is(second.status, 200, 'also its share of the quota was given back')

    place.goOn()
    const late = await first
    if (late.status === 200) t.deepEqual(late.body.jobs, second.body.jobs)
    // or the heir's batch has used up the quota before it came to that
    else t.true([409, 429].includes(late.status), `it was answered ${late.status}`)
    const { batch_id: batchId } = second.body
    const records = await batchesIn({ nats, dataDir: place.dataDir })
    const owner = ownerOf(place.user)
    const open = (await records.open.keys()).filter((one) => one.startsWith(`${owner}.`))
    t.deepEqual(open, [`${owner}.${batchId}`])
    t.deepEqual(Object.keys((await records.quotas.read(owner))!.value.reserved), [batchId])
    t.is((await records.members.readUnder(batchId)).size, 2)
    t.is((await ask(place.slow)).body.batch_id, batchId)
  })

for (const point of pointsOf('purge'))
  test.serial(`a deletion frozen at ${point} is done by another gateway, and again when it goes on`, async (t) => {
    const place = await aPlace(t, point)
    const { body } = await place.slow.post('/files/upload', { body: uploadForm(...twoRecordings) })
    await place.spoolsAreEmpty()
    const fileIds = body.files.map((file: { file_id: string }) => file.file_id)
    const first = place.slow.delete('/files', { json: { file_ids: fileIds } })
    await place.frozen()
    await holdsNothing(t, place)

    place.goOn()
    t.is((await first).status, 200)
    await holdsNothing(t, place)
    t.is((await place.slow.delete('/files', { json: { file_ids: fileIds } })).status, 404)
  })

/** Two gateways on one broker and one storage, of which the first stands still when it comes to the point. */
interface Place {
  readonly user: string
  readonly slow: Api
  readonly heir: Api
  readonly dataDir: string
  frozen(): Promise<void>
  goOn(): void
  /** As if the heir had begun it before it was started again: it waits for nobody. */
  giveClaimToHeir(scope: ClaimScope): Promise<void>
  spoolsAreEmpty(): Promise<void>
}

async function aPlace(t: ExecutionContext, point: FaultPoint): Promise<Place> {
  t.timeout(4 * stepsMs)
  // the broker is shared by the tests of this file, so each has a user of its own
  const user = point
  const dataDir = await aFolder(t)
  const slowDir = await aFolder(t)
  const environment = {
    STORAGE_URL: `disk:${join(dataDir, 'objects')}`,
    // as much as one batch takes: a reservation that leaked would refuse the next
    QUOTA_FILES: '101',
    SWEEP_MS: '200',
  }
  const faulty = { ...environment, FAULTS: `${point}:freeze` }
  const gateway = startVaak(t, ['gateway'], gatewayEnvironment(nats, { dataDir: slowDir, environment: faulty }))
  const slow = await clientOf(t, { url: await gateway.ready(), dataDir: slowDir })
  const heir = await aGateway(t, nats, { dataDir, environment })
  return {
    user,
    slow: await slow.apiOf(user),
    heir: await heir.apiOf(user),
    dataDir,
    frozen: () => untilFrozen(gateway, point),
    goOn: () => gateway.signal('SIGCONT'),
    giveClaimToHeir: (scope) => giveClaim(heir, scope, user),
    async spoolsAreEmpty() {
      const areEmpty = async (): Promise<boolean> =>
        (await Promise.all([dataDir, slowDir].map(uploadsIn))).every((uploads) => uploads.length === 0)
      await eventually('the spools are empty', areEmpty)
    },
  }
}

async function untilFrozen(gateway: VaakProcess, point: FaultPoint): Promise<void> {
  await eventually(`a gateway stands still at ${point}`, () => isFrozen(gateway.pid), stepsMs)
}

async function giveClaim(heir: TestGateway, scope: ClaimScope, user: string): Promise<void> {
  const { claims } = await storedIn(nats)
  const at = claimKey(scope, ownerOf(user), key)
  const stored = await claims.read(at)
  // answered already: it waits for nobody
  if (stored?.value.state !== 'running') return
  const gatewayId = await onlyGatewayIn(heir.spoolFolder)
  await claims.replace(at, { ...stored.value, gatewayId, bootId: 'an-earlier-one' }, stored.revision)
}

async function holdsNothing(t: ExecutionContext, { heir, dataDir }: Place): Promise<void> {
  await eventually('no object is left', async () => (await objectsIn(dataDir)).length === 0)
  await eventually('the list is empty', async () => (await heir.get('/files')).body.total_files === 0)
  t.pass()
}

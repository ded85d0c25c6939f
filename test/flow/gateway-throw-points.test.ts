import test from 'ava'
import type { ExecutionContext } from 'ava'

import type { FaultPoint } from '../../actors/fault-points.ts'
import { apiAt, uploadForm } from '../support/api.ts'
import type { Api, ApiAnswer } from '../support/api.ts'
import { batchesIn } from '../support/batches.ts'
import { eventually } from '../support/eventually.ts'
import { pointsOf } from '../support/fault-scenes.ts'
import { aGateway } from '../support/gateway.ts'
import { twoRecordings } from '../support/media.ts'
import { startTestNats } from '../support/nats.ts'
import type { TestNats } from '../support/nats.ts'
import { objectsIn, recordingsIn, uploadsIn } from '../support/on-disk.ts'
import { ownerOf } from '../support/service.ts'

/** An error that nobody foresaw, at every step of a gateway's work: the client may ask again, and nobody has to start anything anew. */

let nats: TestNats
test.before(async () => {
  nats = await startTestNats()
})
test.after.always(() => nats.stop())

const underKey = { headers: { 'Idempotency-Key': 'the-same' } }

for (const point of [...pointsOf('upload'), ...pointsOf('transfer')])
  test.serial(`an upload that fails at ${point} is whole when it is asked for again, and is there once`, async (t) => {
    const place = await aPlace(t, point)
    const ask = (): Promise<ApiAnswer> =>
      place.api.post('/files/upload', { body: uploadForm(...twoRecordings), ...underKey })
    const first = await ask()
    t.true([202, 500].includes(first.status), `it was answered ${first.status}`)

    const again = await eventually('what failed has ended', async () => {
      const answer = await ask()
      return answer.status !== 409 && answer
    })
    t.is(again.status, 202)
    await eventually(`the gateway comes to ${point}`, () => place.isStruck())
    await eventually('the upload completes', async () => {
      const { body } = await place.api.get(`/files/upload/${again.body.batch_upload_id}`)
      return body.status === 'completed'
    })
    await eventually('the spool is empty', async () => (await uploadsIn(place.dataDir)).length === 0)
    t.like((await place.api.get('/files')).body, { total_files: 2, count: 2 })
    t.is((await recordingsIn(place.dataDir)).length, 2)
    t.deepEqual((await ask()).body, again.body)
  })

for (const point of pointsOf('submit'))
  test.serial(`a submission that fails at ${point} makes one batch and takes its quota once`, async (t) => {
    const place = await aPlace(t, point)
    const sources = Array.from({ length: 101 }, (_, at) => ({ url: `https://example.org/${at}.mp3` }))
    const ask = (): Promise<ApiAnswer> => place.api.post('/transcribe/batch', { json: { sources }, ...underKey })
    t.is((await ask()).status, 500)
    t.true(place.isStruck())

    const again = await ask()
    t.is(again.status, 200, 'also its share of the quota was given back')
    const { batch_id: batchId } = again.body
    const records = await batchesIn({ nats, dataDir: place.dataDir })
    const owner = ownerOf(point)
    const open = (await records.open.keys()).filter((key) => key.startsWith(`${owner}.`))
    t.deepEqual(open, [`${owner}.${batchId}`])
    t.deepEqual(Object.keys((await records.quotas.read(owner))!.value.reserved), [batchId])
    t.is((await records.members.readUnder(batchId)).size, 2)
    t.is((await ask()).body.batch_id, batchId)
  })

for (const point of pointsOf('purge'))
  test.serial(`a deletion that fails at ${point} is finished without being asked for again`, async (t) => {
    const place = await aPlace(t, point)
    const { body } = await place.api.post('/files/upload', { body: uploadForm(...twoRecordings) })
    await eventually('the spool is empty', async () => (await uploadsIn(place.dataDir)).length === 0)
    const fileIds = body.files.map((file: { file_id: string }) => file.file_id)
    const first = await place.api.delete('/files', { json: { file_ids: fileIds } })
    t.true([200, 500].includes(first.status), `it was answered ${first.status}`)
    t.true(place.isStruck())

    await eventually('no object is left', async () => (await objectsIn(place.dataDir)).length === 0)
    await eventually('the list is empty', async () => (await place.api.get('/files')).body.total_files === 0)
    t.is((await place.api.delete('/files', { json: { file_ids: fileIds } })).status, 404)
  })

interface Place {
  readonly api: Api
  readonly dataDir: string
  isStruck(): boolean
}

/** A gateway in which something throws when it comes to the point for the first time. */
async function aPlace(t: ExecutionContext, point: FaultPoint): Promise<Place> {
  t.timeout(120_000)
  let isStruck = false
  const gateway = await aGateway(t, nats, {
    // of quota as much as one batch takes: a reservation that leaked would refuse the next
    environment: { QUOTA_FILES: '101', SWEEP_MS: '200' },
    faults: {
      async point(at) {
        if (at !== point || isStruck) return
        isStruck = true
        throw new Error(`a test throws at ${at}`)
      },
    },
  })
  // the broker is shared by the tests of this file, so each has a user of its own
  const token = await gateway.tokenOf(point)
  // not held against the document, in which no route fails
  return { api: apiAt(gateway.url, token), dataDir: gateway.dataDir, isStruck: () => isStruck }
}

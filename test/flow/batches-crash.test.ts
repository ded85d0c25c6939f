import test from 'ava'

import { batchesIn } from '../support/batches.ts'
import { pointsOf } from '../support/fault-scenes.ts'
import { aFolder } from '../support/folder.ts'
import { aGateway, clientOf, gatewayEnvironment } from '../support/gateway.ts'
import { startTestNats } from '../support/nats.ts'
import type { TestNats } from '../support/nats.ts'
import { startVaak } from '../support/processes.ts'
import { ownerOf } from '../support/service.ts'

/** A gateway that dies at once, at each step of a submission. One at a time: each start keeps a core busy. */

let nats: TestNats
test.before(async () => {
  nats = await startTestNats()
})
test.after.always(() => nats.stop())

const sources = Array.from({ length: 101 }, (_, at) => ({ url: `https://example.org/${at}.mp3` }))
const submission = { json: { sources }, headers: { 'Idempotency-Key': 'the-same' } }
/** As much as one batch takes: a reservation that leaked would refuse the next. */
const environment = { QUOTA_FILES: '101' }

for (const point of pointsOf('submit'))
  test.serial(
    `a gateway killed at ${point} leaves a whole batch or none, and a repetition makes no second one`,
    async (t) => {
      const dataDir = await aFolder(t)
      const dying = { ...environment, FAULTS: `${point}:kill` }
      const gateway = startVaak(t, ['gateway'], gatewayEnvironment(nats, { dataDir, environment: dying }))
      const client = await clientOf(t, { url: await gateway.ready(), dataDir })
      const cutOff = (await client.apiOf(point)).post('/transcribe/batch', submission)
      await t.throwsAsync(cutOff, { instanceOf: TypeError }, 'the client got an answer')
      t.is((await gateway.ended).signal, 'SIGKILL')

      const next = await aGateway(t, nats, { dataDir, environment })
      const api = await next.apiOf(point)
      const again = await api.post('/transcribe/batch', submission)
      t.is(again.status, 200)
      t.is(again.body.total_jobs, 101)
      const isAccepted = ['submit.after-batch', 'submit.after-wake', 'submit.before-answer'].includes(point)
      t.is(again.headers.get('idempotency-replayed'), isAccepted ? 'true' : null)

      const { batch_id: batchId } = again.body
      const records = await batchesIn({ nats, dataDir })
      const owner = ownerOf(point)
      const open = (await records.open.keys()).filter((key) => key.startsWith(`${owner}.`))
      t.deepEqual(open, [`${owner}.${batchId}`])
      t.deepEqual(Object.keys((await records.quotas.read(owner))!.value.reserved), [batchId])
      t.like((await records.batches.read(batchId))?.value, { total: 101, issued: 0 })
      t.is((await api.get(`/transcribe/status/batch/${batchId}`)).body.total_files, 101)
      t.is((await api.get(`/transcribe/results/batch/${batchId}?page=3`)).body.count, 1)
    },
  )

test('what a killed submission wrote is gone once it was repeated', async (t) => {
  const { members, batches } = await batchesIn({ nats, dataDir: await aFolder(t) })
  const known = new Set(await batches.keys())
  const pages = await members.keys()
  t.true(pages.length > 0)
  for (const key of pages) t.true(known.has(key.split('.')[0]!), key)
})

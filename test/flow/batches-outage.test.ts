import test from 'ava'

import { batchesIn } from '../support/batches.ts'
import { aBatchId, aFileId } from '../support/builders.ts'
import { eventually } from '../support/eventually.ts'
import { aGate } from '../support/gate.ts'
import { aGateway } from '../support/gateway.ts'
import { startTestNats } from '../support/nats.ts'
import type { TestNats } from '../support/nats.ts'
import { ownerOf } from '../support/service.ts'

/** One after another: each takes the broker away from everybody. */

let nats: TestNats
test.before(async () => {
  nats = await startTestNats()
})
test.after.always(() => nats.stop())

const answerMs = 30_000
const submission = {
  json: { sources: [{ url: 'https://example.org/a.mp3' }] },
  headers: { 'Idempotency-Key': 'mine' },
}

for (const point of ['submit.after-quota', 'submit.after-open', 'submit.after-batch'] as const)
  test.serial(`a broker that dies at ${point} leaves one batch when the submission was repeated`, async (t) => {
    const gate = aGate(point)
    const environment = { QUOTA_FILES: '1' }
    const gateway = await aGateway(t, nats, { faults: gate.faults, environment })
    const api = await gateway.apiOf(t.title)
    const first = api.post('/transcribe/batch', submission)
    await gate.reached
    await nats.kill9()
    await eventually('it noticed', async () => (await api.get('/readyz')).status === 503)
    const startedMs = performance.now()
    gate.open()
    const { status } = await first
    const tookMs = performance.now() - startedMs
    t.is(status, point === 'submit.after-batch' ? 200 : 503, 'what is stored is accepted')
    t.true(tookMs < answerMs, `answered after ${tookMs} ms`)

    await nats.restart()
    const again = await eventually('the repetition is answered', async () => {
      const repeated = await api.post('/transcribe/batch', submission)
      return repeated.status === 200 && repeated
    })
    if (status === 200) t.is(again.body.batch_id, (await first).body.batch_id)
    const records = await batchesIn({ nats, dataDir: gateway.dataDir })
    const owner = ownerOf(t.title)
    const open = (await records.open.keys()).filter((key) => key.startsWith(`${owner}.`))
    t.deepEqual(open, [`${owner}.${again.body.batch_id}`])
    t.deepEqual(Object.keys((await records.quotas.read(owner))!.value.reserved), [again.body.batch_id])
  })

test.serial('without the broker every endpoint of batches is 503 at once', async (t) => {
  const { api } = await aGateway(t, nats)
  await nats.kill9()
  await eventually('it noticed', async () => (await api.get('/readyz')).status === 503)
  const startedMs = performance.now()
  const answers = await Promise.all([
    api.post('/transcribe/batch', submission),
    api.post('/transcribe/batch', { json: { file_ids: [aFileId()] } }),
    api.get(`/transcribe/status/batch/${aBatchId()}`),
    api.get(`/transcribe/results/batch/${aBatchId()}?status=failed`),
    api.get(`/transcribe/results/file/${aFileId()}`),
    api.get(`/transcribe/download/batch/${aBatchId()}`),
  ])
  for (const { status, headers } of answers) {
    t.is(status, 503)
    t.is(headers.get('retry-after'), '5')
  }
  t.true(performance.now() - startedMs < answerMs)
  await nats.restart()
})

import { createHmac } from 'node:crypto'

import test from 'ava'

import { readRange } from '../../infra/remote/address.ts'
import { systemClock } from '../../infra/timing/clock.ts'
import { webhookCaller } from '../../infra/webhook/caller.ts'
import { anOwner } from '../support/builders.ts'
import { eventually } from '../support/eventually.ts'
import { startTestNats } from '../support/nats.ts'
import type { TestNats } from '../support/nats.ts'
import { aPipeline } from '../support/pipeline.ts'
import type { Pipeline } from '../support/pipeline.ts'
import { aRemoteServer, redirectTo } from '../support/remote.ts'
import { aScriptedRecording, scriptedSeconds } from '../support/scripted-speech.ts'
import { aReceiver } from '../support/webhook-receiver.ts'
import type { ReceivedCall } from '../support/webhook-receiver.ts'

let nats: TestNats
test.before(async () => {
  nats = await startTestNats()
})
test.after.always(() => nats.stop())

const patienceMs = 60_000

const recording = { name: 'one.wav', content: aScriptedRecording(scriptedSeconds(1)) }

async function standing({ api }: Pipeline, batchId: string, expected: string) {
  const path = `/transcribe/webhooks/batch/${batchId}`
  await eventually(`the call is ${expected}`, async () => (await api.get(path)).body.status === expected, patienceMs)
  return (await api.get(path)).body
}

test.serial('the end of a batch is told with a signed call', async (t) => {
  const { calls, environment, url } = await aReceiver(t, 204)
  const pipeline = await aPipeline(t, nats, environment)
  await pipeline.addWorker()
  const batch = await pipeline.submit([recording], { callback_url: url })
  await batch.finished()
  t.like(await standing(pipeline, batch.batchId, 'delivered'), { callback_url: url, round: 1 })
  t.is(calls.length, 1)
  const [{ headers, body }] = calls as [ReceivedCall]
  t.like(JSON.parse(body), {
    id: `batch_${batch.batchId}`,
    type: 'batch.finished',
    data: { batch_id: batch.batchId, status: 'completed', total_files: 1, files_completed: 1, files_failed: 0 },
  })
  const { secret } = (await pipeline.api.get('/transcribe/webhooks/secret')).body
  const id = String(headers['webhook-id'])
  const timestamp = String(headers['webhook-timestamp'])
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  t.is(headers['webhook-signature'], `v1,${signature}`)
  t.true(Math.abs(Number(timestamp) - Date.now() / 1000) < 60)
  const other = await (await pipeline.gateway.apiOf('ravi')).get('/transcribe/webhooks/secret')
  t.not(other.body.secret, secret)
})

test.serial('a call that is not taken is made again, under the same id', async (t) => {
  const { calls, environment, url } = await aReceiver(t, 500, 404, 200)
  const pipeline = await aPipeline(t, nats, environment)
  await pipeline.addWorker()
  const batch = await pipeline.submit([recording], { callback_url: url })
  const { attempts } = await standing(pipeline, batch.batchId, 'delivered')
  t.deepEqual(
    attempts.map(({ status, error }: { status?: number; error?: string }) => status ?? error),
    [
      'The server of this URL did not take the call (status 500).',
      'The server of this URL did not take the call (status 404).',
      200,
    ],
  )
  t.is(new Set(calls.map(({ headers }) => headers['webhook-id'])).size, 1)
})

test.serial('a call is given up after its attempts, and made again when the user asks', async (t) => {
  const { calls, environment, url } = await aReceiver(t, 500, 500, 500, 200)
  const pipeline = await aPipeline(t, nats, environment)
  await pipeline.addWorker()
  const batch = await pipeline.submit([recording], { callback_url: url })
  t.is((await standing(pipeline, batch.batchId, 'given_up')).attempts.length, 3)
  const sent = await pipeline.api.post(`/transcribe/webhooks/batch/${batch.batchId}/send`)
  t.is(sent.status, 202)
  t.like(sent.body, { status: 'waiting', round: 2, attempts: [] })
  t.like(await standing(pipeline, batch.batchId, 'delivered'), { round: 2 })
  t.is(calls.length, 4)
})

test.serial('what cannot be called, or not by this user, is refused with the reason', async (t) => {
  const { environment, url } = await aReceiver(t, 200)
  const pipeline = await aPipeline(t, nats, environment)
  const { api } = pipeline
  const source = { sources: [{ url }] }
  for (const address of ['http://10.0.0.1/', 'http://localhost:99/', 'file:///etc/passwd', 'nowhere']) {
    const { status, body } = await api.post('/transcribe/batch', { json: { ...source, callback_url: address } })
    t.is(status, 400, address)
    t.regex(body.detail, /^body\.callback_url: /)
  }
  const batch = await pipeline.submit([recording], { callback_url: url })
  const path = `/transcribe/webhooks/batch/${batch.batchId}`
  t.like((await api.get(path)).body, { status: 'pending', attempts: [] })
  t.is((await api.post(`${path}/send`)).status, 409)
  const other = await pipeline.gateway.apiOf('ravi')
  t.is((await other.get(path)).status, 404)
  t.is((await other.post(`${path}/send`)).status, 404)
  const without = await pipeline.submit([recording])
  t.is((await api.get(`/transcribe/webhooks/batch/${without.batchId}`)).status, 404)
})

test('a name that leads to a private address is not called, nor is a redirect followed', async (t) => {
  const target = await aRemoteServer(t, (_request, response) => void response.end())
  const away = await aRemoteServer(t, redirectTo(target.url))
  const call = { owner: anOwner(), id: 'batch_1', body: '{}', signal: new AbortController().signal }
  const callerOf = (allowed: string[]) =>
    webhookCaller({
      policy: { http: true, ports: [target.port, away.port], allowPrivate: allowed.map((one) => readRange(one)!) },
      limits: { patienceMs: 5000 },
      resolve: () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]),
      secrets: { of: () => Promise.resolve(Buffer.alloc(32)) },
      clock: systemClock,
    })
  await t.throwsAsync(callerOf([]).call({ ...call, url: `http://inside.example:${target.port}/` }), {
    message: /not public/,
  })
  await t.throwsAsync(callerOf(['127.0.0.1']).call({ ...call, url: away.url }), { message: /status 302/ })
  t.is(target.requests.length, 0)
  t.is(away.requests.length, 1)
})

import test from 'ava'

import { sandboxState } from '../../infra/process/sandbox.ts'
import { uploadForm } from '../support/api.ts'
import type { Api } from '../support/api.ts'
import { eventually } from '../support/eventually.ts'
import { aGate } from '../support/gate.ts'
import { aGateway } from '../support/gateway.ts'
import { twoRecordings } from '../support/media.ts'
import { startTestNats } from '../support/nats.ts'
import type { TestNats } from '../support/nats.ts'
import { uploadsIn } from '../support/on-disk.ts'

/** One after another: each takes the broker away from everybody. */

let nats: TestNats
test.before(async () => {
  nats = await startTestNats()
})
test.after.always(() => nats.stop())

/** Two questions to the broker of 2.5 s each, with room for a machine that is busy with other things: it does not hang. */
const answerMs = 30_000
const impatient = { TRANSFER_RETRY_FIRST_MS: '50', TRANSFER_RETRY_LAST_MS: '200' }

function twoFiles(): FormData {
  return uploadForm(...twoRecordings)
}

for (const point of ['upload.after-receive', 'upload.after-upload-record'] as const)
  test.serial(`a broker that dies at ${point} is a 503, and nothing of the upload stays`, async (t) => {
    const gate = aGate(point)
    const gateway = await aGateway(t, nats, { environment: impatient, faults: gate.faults })
    const api = await gateway.apiOf(t.title)
    const upload = { body: twoFiles(), headers: { 'Idempotency-Key': 'mine' } }
    const answer = api.post('/files/upload', upload)
    await gate.reached
    await nats.kill9()
    const startedMs = performance.now()
    gate.open()
    const { status, headers, body } = await answer
    const tookMs = performance.now() - startedMs
    t.is(status, 503)
    t.is(headers.get('retry-after'), '5')
    t.is(body.detail, 'The message broker does not answer. Nothing was lost; try again shortly.')
    t.true(tookMs < answerMs, `answered after ${tookMs} ms`)

    await nats.restart()
    await eventually('the spool is empty', async () => (await uploadsIn(gateway.dataDir)).length === 0)
    const listed = await eventually('the gateway has its broker again', async () => {
      const answered = await api.get('/files')
      return answered.status === 200 && answered.body
    })
    t.is(listed.total_files, 0)

    const again = await eventually('the same gateway serves again', async () => {
      const repeated = await api.post('/files/upload', upload)
      return repeated.status === 202 && repeated
    })
    await eventually('the repetition completes', async () => {
      const watched = await api.get(`/files/upload/${again.body.batch_upload_id}`)
      return watched.body.status === 'completed'
    })
    t.is((await api.get('/files')).body.total_files, 2)
  })

test.serial('a repetition that was given an upload which was about to be withdrawn keeps it', async (t) => {
  const gate = aGate('upload.after-upload-record')
  // the withdrawal fails while the broker is away and is not tried again in the time of this test
  const slow = { TRANSFER_RETRY_FIRST_MS: '600000', TRANSFER_RETRY_LAST_MS: '600000' }
  const gateway = await aGateway(t, nats, { environment: slow, faults: gate.faults })
  const api = await gateway.apiOf(t.title)
  const upload = { body: twoFiles(), headers: { 'Idempotency-Key': 'mine' } }
  const answer = api.post('/files/upload', upload)
  await gate.reached
  await nats.kill9()
  await eventually('it noticed', async () => (await api.get('/readyz')).status === 503)
  gate.open()
  t.is((await answer).status, 503)

  await nats.restart()
  const again = await eventually('the repetition is answered', async () => {
    const repeated = await api.post('/files/upload', upload)
    return repeated.status === 202 && repeated
  })
  t.is(again.headers.get('idempotency-replayed'), 'true')

  await gateway.close()
  const next = await aGateway(t, nats, { environment: impatient, dataDir: gateway.dataDir })
  const nextApi = await next.apiOf(t.title)
  await eventually('what was promised completes', async () => {
    const { body } = await nextApi.get(`/files/upload/${again.body.batch_upload_id}`)
    return body.completed === 2
  })
  t.is((await nextApi.get('/files')).body.total_files, 2)
  await eventually('the spool is empty', async () => (await uploadsIn(gateway.dataDir)).length === 0)
})

test.serial('a broker that is known to be gone is a 503 at once, and readiness says so', async (t) => {
  const { api } = await aGateway(t, nats)
  t.is((await api.get('/readyz')).status, 200)
  const healthyMs = await timeOf(() => everyKindOfRequest(api))
  await nats.kill9()
  const { body } = await eventually('readiness says so', async () => {
    const ready = await api.get('/readyz')
    return ready.status === 503 && ready
  })
  t.deepEqual(body, {
    status: 'not ready',
    dependencies: { broker: 'The message broker cannot be reached.', storage: 'ok', sandbox: sandboxState() },
  })
  // without the time that a question to the broker may take; a machine that is busy is not so each time
  await eventually('it answers at once', async () => {
    const tookMs = await timeOf(async () => t.deepEqual(await everyKindOfRequest(api), [503, 503, 503, 503]))
    return tookMs < 10 * healthyMs + 1_500
  })
  t.is((await api.get('/healthz')).status, 200)

  await nats.restart()
  await eventually('it serves again', async () => (await api.get('/files')).status === 200)
})

test.serial('a broker that is frozen is a 503 within a bounded time', async (t) => {
  const { api } = await aGateway(t, nats)
  t.teardown(() => nats.resume())
  await nats.pause()
  const startedMs = performance.now()
  const answers = await Promise.all([
    api.get('/files'),
    api.post('/files/upload', { body: twoFiles() }),
    api.post('/files/upload', { body: twoFiles(), headers: { 'Idempotency-Key': 'mine' } }),
    api.get('/readyz'),
  ])
  const tookMs = performance.now() - startedMs
  nats.resume()
  t.deepEqual(
    answers.map(({ status }) => status),
    [503, 503, 503, 503],
  )
  t.is(answers[0].headers.get('retry-after'), '5')
  t.true(tookMs < answerMs, `answered after ${tookMs} ms`)

  await eventually('it serves again', async () => (await api.get('/files')).status === 200)
  const again = await api.post('/files/upload', { body: twoFiles(), headers: { 'Idempotency-Key': 'mine' } })
  t.is(again.status, 202, 'the key whose claim may have been written is not lost')
})

test.serial('transfers under way when the broker dies finish once it is back', async (t) => {
  const gate = aGate('transfer.after-begin')
  const gateway = await aGateway(t, nats, { environment: impatient, faults: gate.faults })
  const api = await gateway.apiOf(t.title)
  const { body } = await api.post('/files/upload', { body: twoFiles() })
  await gate.reached
  await nats.kill9()
  gate.open()
  await nats.restart()
  await eventually('the upload completes', async () => {
    const watched = await api.get(`/files/upload/${body.batch_upload_id}`)
    return watched.body.status === 'completed'
  })
  await eventually('the spool is empty', async () => (await uploadsIn(gateway.dataDir)).length === 0)
  t.is((await api.get('/files?upload_status=completed')).body.total_files, 2)
})

for (const [how, takeAway] of [
  ['dead', () => nats.kill9()],
  ['frozen', () => nats.pause()],
] as const)
  test.serial(`a gateway can be stopped while the broker is ${how}`, async (t) => {
    const gateway = await aGateway(t, nats)
    await takeAway()
    await eventually('it noticed', async () => (await gateway.api.get('/readyz')).status === 503)
    const startedMs = performance.now()
    await gateway.close()
    t.true(performance.now() - startedMs < answerMs)
    nats.resume()
    await nats.restart()
  })

async function everyKindOfRequest(api: Api): Promise<number[]> {
  const answers = await Promise.all([
    api.get('/files'),
    api.get('/files/upload/0190f3a0-0000-7000-8000-000000000000'),
    api.delete('/files', { json: { file_ids: ['0190f3a0-0000-7000-8000-000000000000'] } }),
    api.post('/files/upload', { body: twoFiles(), headers: { 'Idempotency-Key': 'mine' } }),
  ])
  return answers.map(({ status }) => status)
}

async function timeOf(run: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now()
  await run()
  return performance.now() - startedMs
}

import test from 'ava'

import { claimKey } from '../../gateway/idempotency.ts'
import type { Api, ApiAnswer } from '../support/api.ts'
import { batchService } from '../support/batch-service.ts'
import { aBatchId } from '../support/builders.ts'
import { aGateway } from '../support/gateway.ts'
import { heldAt } from '../support/held-faults.ts'
import { ownerOf } from '../support/service.ts'
import { onlyGatewayIn } from '../support/spool-content.ts'

const service = batchService(test)
const speech = { sources: [{ url: 'https://example.org/speech.mp3' }] }

function submit(api: Api, key: string, json: object = speech): Promise<ApiAnswer> {
  return api.post('/transcribe/batch', { json, headers: { 'Idempotency-Key': key } })
}

async function batchesOf(user: string): Promise<number> {
  const { open } = await service.records()
  return (await open.keys()).filter((key) => key.startsWith(`${ownerOf(user)}.`)).length
}

test('the same key with the same body gives the same batch, marked as a repetition', async (t) => {
  const { api, name } = await service.user(t)
  const [first, second] = [await submit(api, 'key-1'), await submit(api, 'key-1')]
  t.is(first.headers.get('idempotency-replayed'), null)
  t.is(second.status, 200)
  t.is(second.headers.get('idempotency-replayed'), 'true')
  t.is(second.headers.get('location'), first.headers.get('location'))
  t.deepEqual(second.body, first.body)
  t.is(await batchesOf(name), 1)
})

test('an answer that is too large for one record is given again, too', async (t) => {
  const { api } = await service.user(t)
  const sources = Array.from({ length: 5000 }, (_, at) => ({ url: `https://example.org/${at}.mp3` }))
  const first = await submit(api, 'key-1', { sources })
  const second = await submit(api, 'key-1', { sources })
  t.is(first.body.total_jobs, 5000)
  t.deepEqual(second.body, first.body)
})

test('the same key with another body is 409 and submits nothing', async (t) => {
  const { api, name } = await service.user(t)
  await submit(api, 'key-1')
  for (const json of [
    { ...speech, language: 'hi' },
    { sources: [...speech.sources, { url: 'https://example.org/b' }] },
  ]) {
    const { status, body } = await submit(api, 'key-1', json)
    t.is(status, 409)
    t.regex(body.detail, /used before with other content/)
  }
  t.is(await batchesOf(name), 1)
})

test('without a key the same body is two batches', async (t) => {
  const { api, name } = await service.user(t)
  await api.post('/transcribe/batch', { json: speech })
  await api.post('/transcribe/batch', { json: speech })
  t.is(await batchesOf(name), 2)
})

test('a submission that was refused frees its key', async (t) => {
  const { api } = await service.user(t)
  t.is((await submit(api, 'key-1', {})).status, 400)
  const { status, headers } = await submit(api, 'key-1')
  t.is(status, 200)
  t.is(headers.get('idempotency-replayed'), null)
})

test('a key of an upload is not one of a batch', async (t) => {
  const { api, owner } = await service.user(t)
  const { claims } = await service.records()
  const claim = { state: 'answered', id: aBatchId(), fingerprint: 'x', status: 202, body: {} } as const
  await claims.create(claimKey('upload', owner, 'key-1'), claim)
  t.is((await submit(api, 'key-1')).status, 200)
})

test('of many at once with the same key exactly one submits', async (t) => {
  const { api, name } = await service.user(t)
  const answers = await Promise.all(Array.from({ length: 6 }, () => submit(api, 'key-1')))
  const accepted = answers.filter(({ status }) => status === 200)
  t.true(accepted.length > 0)
  t.is(new Set(accepted.map(({ body }) => body.batch_id)).size, 1)
  for (const { status, body } of answers)
    if (status !== 200) t.regex(`${status} ${body.detail}`, /^409 .*still being received/)
  t.is(await batchesOf(name), 1)
})

test('files that were deleted since are not in the answer that is given again', async (t) => {
  const { api } = await service.user(t)
  const { body } = await submit(api, 'key-1', { sources: [...speech.sources, { url: 'https://example.org/b.mp3' }] })
  const { members } = await service.records()
  const page = (await members.read(`${body.batch_id}.0`))!
  await members.replace(`${body.batch_id}.0`, { files: [null, page.value.files[1]!] }, page.revision)
  const again = await submit(api, 'key-1', { sources: [...speech.sources, { url: 'https://example.org/b.mp3' }] })
  t.is(again.body.total_jobs, 1)
  t.deepEqual(again.body.jobs, [body.jobs[1]])
})

test('a batch that was accepted but whose answer was not noted is answered from its records', async (t) => {
  const faults = heldAt('submit.after-batch')
  const gateway = await aGateway(t, service.shared.nats, { faults })
  t.teardown(() => faults.release())
  const api = await gateway.apiOf('witness')
  const first = submit(api, 'key-1')
  await faults.reached
  const second = await submit(api, 'key-1')
  t.is(second.headers.get('idempotency-replayed'), 'true')
  faults.release()
  t.deepEqual(second.body.jobs, (await first).body.jobs)
  t.is(await batchesOf('witness'), 1)
})

test('a submission that was given up for dead does not come any more, and leaves nothing behind', async (t) => {
  const faults = heldAt('submit.after-members')
  t.teardown(() => faults.release())
  const environment = { QUOTA_FILES: '1' }
  const slow = await aGateway(t, service.shared.nats, { faults, environment })
  const heir = await aGateway(t, service.shared.nats, { environment })
  const first = submit(await slow.apiOf('sleeper'), 'key-1')
  await faults.reached
  await giveClaimTo(await onlyGatewayIn(heir.spoolFolder))

  const second = await submit(await heir.apiOf('sleeper'), 'key-1')
  t.is(second.status, 200, 'also its share of the quota was given back')
  faults.release()
  t.is((await first).status, 409)
  const { open, batches, members, quotas } = await service.records()
  const left = (await open.keys()).filter((key) => key.startsWith(ownerOf('sleeper')))
  t.deepEqual(left, [`${ownerOf('sleeper')}.${second.body.batch_id}`])
  t.deepEqual(Object.keys((await quotas.read(ownerOf('sleeper')))!.value.reserved), [second.body.batch_id])
  t.truthy(await batches.read(second.body.batch_id))
  t.is((await members.readUnder(second.body.batch_id)).size, 1)
})

/** As if this gateway had begun it before it was started again. */
async function giveClaimTo(gatewayId: string): Promise<void> {
  const { claims } = await service.records()
  const key = claimKey('batch', ownerOf('sleeper'), 'key-1')
  const stored = await claims.read(key)
  if (stored?.value.state !== 'running') throw new Error('nobody holds the claim')
  await claims.replace(key, { ...stored.value, gatewayId, bootId: 'an-earlier-one' }, stored.revision)
}

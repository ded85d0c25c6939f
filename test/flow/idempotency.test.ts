import test from 'ava'

import { claimKey } from '../../gateway/idempotency.ts'
import { uploadForm } from '../support/api.ts'
import type { Api, ApiAnswer } from '../support/api.ts'
import { anUploadId } from '../support/builders.ts'
import { eventually } from '../support/eventually.ts'
import { aGateway } from '../support/gateway.ts'
import { heldAt } from '../support/held-faults.ts'
import { aWav } from '../support/media.ts'
import { aMultipart, multipartType } from '../support/multipart.ts'
import { head, rawConnection, rawExchange } from '../support/raw-http.ts'
import { ownerOf, sharedService } from '../support/service.ts'
import { onlyGatewayIn } from '../support/spool-content.ts'

const service = sharedService(test)
const speech = { name: 'speech.wav', content: aWav({ seconds: 0.1 }) }
const other = { name: 'speech.wav', content: aWav({ seconds: 0.2 }) }

function upload(api: Api, key: string, ...parts: (typeof speech)[]): Promise<ApiAnswer> {
  return api.post('/files/upload', { body: uploadForm(...parts), headers: { 'Idempotency-Key': key } })
}

const totalOf = async (api: Api): Promise<number> => (await api.get('/files')).body.total_files

test('the same key with the same files gets the same answer, marked as a repetition, and uploads nothing twice', async (t) => {
  const { api } = await service.user(t)
  const first = await upload(api, 'key-1', speech)
  const second = await upload(api, 'key-1', speech)
  t.is(first.status, 202)
  t.is(first.headers.get('idempotency-replayed'), null)
  t.is(second.status, 202)
  t.is(second.headers.get('idempotency-replayed'), 'true')
  t.deepEqual(second.body, first.body)
  t.is(await totalOf(api), 1)
})

test('without a key the same files are two uploads', async (t) => {
  const { api } = await service.user(t)
  await api.post('/files/upload', { body: uploadForm(speech) })
  await api.post('/files/upload', { body: uploadForm(speech) })
  t.is(await totalOf(api), 2)
})

test('the repetition names the files that were refused, too', async (t) => {
  const { api } = await service.user(t)
  const notes = { name: 'notes.wav', content: Buffer.from('not audio') }
  const first = await upload(api, 'key-1', speech, notes)
  const second = await upload(api, 'key-1', speech, notes)
  t.is(second.body.rejected_files.length, 1)
  t.deepEqual(second.body, first.body)
})

test('the answer is the same after a restart of the gateway', async (t) => {
  const before = await aGateway(t, service.nats)
  const first = await upload(await before.apiOf('patient'), 'key-1', speech)
  await before.close()
  const after = await aGateway(t, service.nats, { dataDir: before.dataDir })
  const api = await after.apiOf('patient')
  const second = await upload(api, 'key-1', speech)
  t.deepEqual(second.body, first.body)
  t.is(second.headers.get('idempotency-replayed'), 'true')
  t.is(await totalOf(api), 1)
})

test('the answer is the same at another gateway of the service', async (t) => {
  const one = await aGateway(t, service.nats)
  const two = await aGateway(t, service.nats)
  const first = await upload(await one.apiOf('wanderer'), 'key-1', speech)
  const second = await upload(await two.apiOf('wanderer'), 'key-1', speech)
  t.deepEqual(second.body, first.body)
})

test('the same key with other files is 409 and uploads nothing', async (t) => {
  const { api } = await service.user(t)
  await upload(api, 'key-1', speech)
  for (const parts of [[other], [speech, other], [{ ...speech, name: 'renamed.wav' }]]) {
    const { status, body } = await upload(api, 'key-1', ...parts)
    t.is(status, 409)
    t.regex(body.detail, /used before with other content; use a new key/)
  }
  t.is(await totalOf(api), 1)
})

test('two users with the same key do not meet', async (t) => {
  const [one, two] = [await service.user(t), await service.user(t)]
  const first = await upload(one.api, 'key-1', speech)
  const second = await upload(two.api, 'key-1', other)
  t.is(second.status, 202)
  t.not(second.body.batch_upload_id, first.body.batch_upload_id)
  t.is(await totalOf(one.api), 1)
  t.is(await totalOf(two.api), 1)
})

test('of many at once with the same key exactly one uploads; the others get its answer or are told to wait', async (t) => {
  const { api } = await service.user(t)
  const answers = await Promise.all(Array.from({ length: 6 }, () => upload(api, 'key-1', speech)))
  const accepted = answers.filter(({ status }) => status === 202)
  t.true(accepted.length > 0)
  t.is(new Set(accepted.map(({ body }) => body.batch_upload_id)).size, 1)
  for (const { status, body } of answers)
    if (status !== 202) t.regex(`${status} ${body.detail}`, /^409 .*still being received/)
  t.is(await totalOf(api), 1)
})

test('while the first request is still being received the second is 409', async (t) => {
  const { api, token } = await service.user(t)
  const first = await rawConnection(t, service.url)
  const body = aMultipart({ content: speech.content })
  await first.send(
    head(
      'POST /files/upload HTTP/1.1',
      'Host: vaak',
      `Authorization: Bearer ${token}`,
      `Content-Type: ${multipartType}`,
      `Content-Length: ${body.length}`,
      'Idempotency-Key: key-1',
      'Expect: 100-continue',
    ),
  )
  t.is((await first.answer()).status, 100)
  const second = await upload(api, 'key-1', speech)
  t.is(second.status, 409)
  t.regex(second.body.detail, /still being received; repeat it when that one ended/)
  await first.send(body)
  t.is((await first.answer()).status, 202)
  t.is(await totalOf(api), 1)
})

for (const [what, key] of [
  ['an empty key', ''],
  ['a key of 256 characters', 'k'.repeat(256)],
  ['a key with a space', 'two words'],
  ['a key with a tab', 'two\twords'],
  ['a key beyond ASCII', 'sch\u00f6n'],
] as const)
  test(`${what} is refused`, async (t) => {
    const { api } = await service.user(t)
    const { status, body } = await upload(api, key, speech)
    t.is(status, 400)
    t.regex(body.detail, /Idempotency-Key must have 1 to 255 printable ASCII characters/)
    t.is(await totalOf(api), 0)
  })

test('a key of 255 characters, of any printable kind, is taken', async (t) => {
  const { api } = await service.user(t)
  t.is((await upload(api, `>.*$"'{}~!${'k'.repeat(245)}`, speech)).status, 202)
})

test('a key that is sent twice is refused', async (t) => {
  const { token } = await service.user(t)
  const body = aMultipart({ content: speech.content })
  const { status, body: text } = await rawExchange(
    t,
    service.url,
    head(
      'POST /files/upload HTTP/1.1',
      'Host: vaak',
      `Authorization: Bearer ${token}`,
      `Content-Type: ${multipartType}`,
      `Content-Length: ${body.length}`,
      'Idempotency-Key: key-1',
      'Idempotency-Key: key-2',
    ),
    body,
  )
  t.is(status, 400)
  t.regex(text, /Idempotency-Key was sent 2 times/)
})

test('an upload that was refused frees its key', async (t) => {
  const { api } = await service.user(t)
  const refused = await upload(api, 'key-1', { name: 'notes.wav', content: Buffer.from('not audio') })
  t.is(refused.status, 400)
  const { status, headers } = await upload(api, 'key-1', speech)
  t.is(status, 202)
  t.is(headers.get('idempotency-replayed'), null)
})

test('an upload that the client broke off frees its key', async (t) => {
  const { api, token } = await service.user(t)
  const connection = await rawConnection(t, service.url)
  await connection.send(
    head(
      'POST /files/upload HTTP/1.1',
      'Host: vaak',
      `Authorization: Bearer ${token}`,
      `Content-Type: ${multipartType}`,
      'Content-Length: 100000',
      'Idempotency-Key: key-1',
      'Expect: 100-continue',
    ),
  )
  await connection.answer()
  connection.socket.destroy()
  const { status } = await untilFree(() => upload(api, 'key-1', speech))
  t.is(status, 202)
})

test('a claim that a dead earlier boot of the gateway left is taken over', async (t) => {
  const gateway = await aGateway(t, service.nats)
  const api = await gateway.apiOf('heir')
  await leaveClaim('heir', await onlyGatewayIn(gateway.spoolFolder))
  const { status } = await upload(api, 'key-1', speech)
  t.is(status, 202)
  t.is((await upload(api, 'key-1', speech)).headers.get('idempotency-replayed'), 'true')
  t.is(await totalOf(api), 1)
})

test('a claim that another gateway holds is left alone', async (t) => {
  const gateway = await aGateway(t, service.nats)
  await leaveClaim('stranger', 'another-gateway')
  const { status } = await upload(await gateway.apiOf('stranger'), 'key-1', speech)
  t.is(status, 409)
})

test('a request that is refused leaves nothing of its key with the broker', async (t) => {
  const { api, owner } = await service.user(t)
  const key = claimKey('upload', owner, 'key-1')
  const { claims } = await service.stored()
  t.is((await upload(api, 'key-1', { name: 'notes.wav', content: Buffer.from('not audio') })).status, 400)
  t.is(await claims.read(key), undefined)
  t.not(await claims.create(key, { state: 'free' }), 'exists', 'there is no mark of a removal either')
})

test('what another wrote since is not erased', async (t) => {
  const { claims } = await service.stored()
  const created = await claims.create('taken-over', { state: 'free' })
  const replaced = created !== 'exists' && (await claims.replace('taken-over', { state: 'free' }, created))
  await claims.erase('taken-over', Number(created))
  t.is((await claims.read('taken-over'))?.revision, Number(replaced))
})

async function leaveClaim(user: string, gatewayId: string): Promise<void> {
  const { claims } = await service.stored()
  const claim = { state: 'running', id: anUploadId(), gatewayId, bootId: 'an-earlier-one' } as const
  await claims.create(claimKey('upload', ownerOf(user), 'key-1'), claim)
}

test('an upload that was accepted but whose answer was not noted is answered from its records', async (t) => {
  const faults = heldAt('upload.after-accept')
  const gateway = await aGateway(t, service.nats, { faults })
  t.teardown(() => faults.release())
  const api = await gateway.apiOf('witness')
  const first = upload(api, 'key-1', speech)
  await faults.reached
  const second = await upload(api, 'key-1', speech)
  t.is(second.headers.get('idempotency-replayed'), 'true')
  faults.release()
  t.deepEqual(second.body, (await first).body)
  t.is(await totalOf(api), 1)
})

/** The key is freed a moment after the socket has closed. */
async function untilFree(ask: () => Promise<ApiAnswer>): Promise<ApiAnswer> {
  return eventually('the key is free', async () => {
    const answer = await ask()
    return answer.status === 409 ? undefined : answer
  })
}

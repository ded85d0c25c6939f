import test from 'ava'

import { eventually } from '../support/eventually.ts'
import { aGateway, gatewayEnvironment } from '../support/gateway.ts'
import { startTestNats } from '../support/nats.ts'
import { runVaak } from '../support/processes.ts'

test('a key made on the command line opens the API for its user until it is revoked', async (t) => {
  const nats = await startTestNats()
  t.teardown(() => nats.stop())
  const gateway = await aGateway(t, nats)
  const environment = gatewayEnvironment(nats, { dataDir: gateway.dataDir })

  const made = await runVaak(t, ['keys', 'create', '--user', 'asha', '--label', 'my app', '--days', '30'], environment)
  t.is(made.code, 0, made.stderr)
  const key = made.stdout.trim()
  t.regex(key, /^vaak_[0-9a-f]{16}_[\w-]{43}$/)
  t.is((await gateway.api.as(key).get('/files')).status, 200)

  const listed = await runVaak(t, ['keys', 'list'], environment)
  const id = key.split('_')[1]!
  t.true(listed.stdout.startsWith(`${id}  asha  my app  since `))
  t.false(listed.stdout.includes(key.slice(22)))

  t.regex(listed.stdout, /  transcribe,files,realtime  used 20\d\d-/)

  const rotated = await runVaak(t, ['keys', 'rotate', id, '--overlap', '1'], environment)
  t.is((await gateway.api.as(rotated.stdout.trim()).get('/files')).status, 200)
  t.regex((await runVaak(t, ['keys', 'list'], environment)).stdout, /  replaced by [0-9a-f]{16}\n/)
  t.is((await runVaak(t, ['keys', 'revoke', id], environment)).stdout, `${id} is revoked.\n`)
  t.is((await gateway.api.as(key).get('/files')).status, 401)
  t.is((await runVaak(t, ['keys', 'revoke', id], environment)).code, 2)
})

test('a user makes, lists and revokes keys by token, and a key can do none of it', async (t) => {
  const nats = await startTestNats()
  t.teardown(() => nats.stop())
  const { api } = await aGateway(t, nats)
  const made = await api.post('/v1/keys', { json: { label: 'my app', days: 30 } })
  t.is(made.status, 201)
  const { key, ...shown } = made.body
  const byKey = api.as(key)
  t.deepEqual(shown.scopes, ['transcribe', 'files', 'realtime'])
  t.deepEqual((await api.get('/v1/keys')).body, { keys: [shown] })
  t.is((await byKey.get('/files')).status, 200)
  await eventually('its use is seen', async () => 'last_used_at' in (await api.get('/v1/keys')).body.keys[0])

  for (const refused of [
    await byKey.get('/v1/keys'),
    await byKey.post('/v1/keys', { json: {} }),
    await byKey.delete(`/v1/keys/${shown.id}`),
  ]) {
    t.is(refused.status, 403)
    t.regex(refused.body.detail, /^An API key cannot see to API keys/)
  }
  t.is((await api.delete(`/v1/keys/${shown.id}`)).status, 200)
  t.is((await byKey.get('/files')).status, 401)
  t.is((await api.delete(`/v1/keys/${shown.id}`)).status, 404)
  t.is((await api.post('/v1/keys', { json: { label: 'x'.repeat(101) } })).status, 400)
})

test('a key made for one thing on the command line is not for another, and one for admin is for all', async (t) => {
  const nats = await startTestNats()
  t.teardown(() => nats.stop())
  const { api, dataDir } = await aGateway(t, nats)
  const environment = gatewayEnvironment(nats, { dataDir })
  const keyFor = async (scopes: string) =>
    (await runVaak(t, ['keys', 'create', '--user', 'asha', '--scopes', scopes], environment)).stdout.trim()
  const realtime = api.as(await keyFor('realtime'))
  t.is((await realtime.get('/files')).status, 403)
  t.is((await realtime.post('/v1/realtime/client_secrets', { json: {} })).status, 200)
  t.is((await api.as(await keyFor('admin')).get('/v1/keys')).status, 200)
  t.regex(
    (await runVaak(t, ['keys', 'create', '--user', 'asha', '--scopes', 'all'], environment)).stderr,
    /--scopes takes words of transcribe, files/,
  )
})

test('vaak keys without a verb or a user says what to write', async (t) => {
  t.regex((await runVaak(t, ['keys'])).stderr, /^Try: vaak keys create --user NAME/)
  const { code, stderr } = await runVaak(t, ['keys', 'list'], { DATA_DIR: '/nonexistent' })
  t.is(code, 2)
  t.regex(stderr, /NATS_URL is empty and no "vaak up" runs/)
})

import test from 'ava'

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

  t.is((await runVaak(t, ['keys', 'revoke', id], environment)).stdout, `${id} is revoked.\n`)
  t.is((await gateway.api.as(key).get('/files')).status, 401)
  t.is((await runVaak(t, ['keys', 'revoke', id], environment)).code, 2)
})

test('vaak keys without a verb or a user says what to write', async (t) => {
  t.regex((await runVaak(t, ['keys'])).stderr, /^Try: vaak keys create --user NAME/)
  const { code, stderr } = await runVaak(t, ['keys', 'list'], { DATA_DIR: '/nonexistent' })
  t.is(code, 2)
  t.regex(stderr, /NATS_URL is empty and no "vaak up" runs/)
})

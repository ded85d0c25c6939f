import test from 'ava'

import { away } from '../../../actors/failure.ts'
import { watchRevocations } from '../../../infra/identity/revocations.ts'
import { aFolder } from '../../support/folder.ts'
import { gatewayEnvironment } from '../../support/gateway.ts'
import { aLog } from '../../support/log.ts'
import { eventually } from '../../support/eventually.ts'
import { startTestNats } from '../../support/nats.ts'
import { runVaak, startVaak } from '../../support/processes.ts'
import { aClient } from '../../support/realtime-server.ts'

test('a session ends when the key that opened it is revoked, and those of other keys go on', async (t) => {
  const nats = await startTestNats()
  t.teardown(() => nats.stop())
  const environment = gatewayEnvironment(nats, { dataDir: await aFolder(t) })
  const server = startVaak(t, ['realtime'], { ...environment, REALTIME_PORT: '0', REALTIME_KEY_CHECK_SECONDS: '1' })
  const url = (await server.ready()).replace('http', 'ws')
  const keyFor = async (user: string) =>
    (await runVaak(t, ['keys', 'create', '--user', user], environment)).stdout.trim()
  const [key, other] = [await keyFor('asha'), await keyFor('bala')]
  const [mine, theirs] = [aClient(t, url, { key }), aClient(t, url, { key: other })]
  await Promise.all([mine.next('session.created'), theirs.next('session.created')])

  await runVaak(t, ['keys', 'revoke', key.split('_')[1]!], environment)
  t.deepEqual(await mine.closed, { code: 3000, reason: 'invalid_request_error.invalid_api_key' }, server.stderr)
  t.like(mine.events.at(-1), { type: 'error', error: { code: 'invalid_api_key' } })
  t.regex(mine.events.at(-1).error.message, /revoked/)

  theirs.send({ type: 'input_audio_buffer.clear' })
  await theirs.next('input_audio_buffer.cleared')
  t.is((await aClient(t, url, { key }).closed).code, 3000)
})

test('while keys cannot be read sessions go on, and are looked at again', async (t) => {
  const log = aLog()
  const ended: string[] = []
  let asked = 0
  const watching = watchRevocations({
    opened: { keyIds: () => ['one', 'two'], endAllOf: (keyId) => void ended.push(keyId) },
    async revoked() {
      asked += 1
      if (asked < 3) throw away('broker_unavailable', 'The broker is away.')
      return ['two']
    },
    everyMs: 5,
    log,
  })
  t.teardown(() => watching.close())
  await eventually('the third look succeeds', () => ended.length > 0)
  t.is(ended[0], 'two')
  t.is(log.lines.filter(({ message }) => message === 'keys of open sessions not read').length, 2)
})

import test from 'ava'

import { aManualClock } from '../../support/manual-clock.ts'
import { openBuckets } from '../../../actors/bucket.ts'
import type { Caller } from '../../../actors/identity.ts'
import { readConfig } from '../../../infra/config/config.ts'
import { principalOf } from '../../../infra/identity/principal.ts'
import { openStreams } from '../../../gateway/auth/open-streams.ts'
import { batchService } from '../../support/batch-service.ts'
import { eventually } from '../../support/eventually.ts'
import { gatewayEnvironment } from '../../support/gateway.ts'
import { startVaak } from '../../support/processes.ts'
import { aClient, aRealtimeServer } from '../../support/realtime-server.ts'

const service = batchService(test, { REALTIME_KEY_CHECK_SECONDS: '1' })

test('a secret dies with the key that made it, on every node, and its sessions end', async (t) => {
  const { nats, dataDir } = service.shared
  const environment = gatewayEnvironment(nats, { dataDir })
  const servers = [0, 1].map(() =>
    startVaak(t, ['realtime'], { ...environment, REALTIME_PORT: '0', REALTIME_KEY_CHECK_SECONDS: '1' }),
  )
  const urls = (await Promise.all(servers.map((server) => server.ready()))).map((url) => url.replace('http', 'ws'))
  const { api } = await service.user(t)
  const made = (await api.post('/v1/keys', { json: {} })).body
  const { value } = (await api.as(made.key).post('/v1/realtime/client_secrets', { json: {} })).body
  const clients = urls.map((url) => aClient(t, url, { key: value }))
  await Promise.all(clients.map((client) => client.next('session.created')))
  await api.delete(`/v1/keys/${made.id}`)
  for (const client of clients)
    t.deepEqual(await client.closed, { code: 3000, reason: 'invalid_request_error.invalid_api_key' })
  const late = aClient(t, urls[0]!, { key: value })
  t.is((await late.closed).code, 3000)
  t.regex(late.events.at(-1).error.message, /API key that made this session secret was revoked/)
})

test('a secret ends no later than the key that made it', async (t) => {
  const untilMs = Math.floor(Date.now() / 1000) * 1000 + 30_000
  const identify = async (): Promise<Caller> => ({ principal: principalOf('test', 'asha'), keyId: 'a', untilMs })
  const { httpUrl } = await aRealtimeServer(t, { identify })
  const answer = await fetch(`${httpUrl}/v1/realtime/client_secrets`, {
    method: 'POST',
    headers: { Authorization: 'Bearer any' },
    body: '{"expires_after":{"anchor":"created_at","seconds":7200}}',
  })
  t.is(((await answer.json()) as { expires_at: number }).expires_at, untilMs / 1000)
})

test('an event stream ends when the key that opened it is revoked, and one by token goes on', async (t) => {
  const { owner, token, api } = await service.user(t)
  const { batch } = await (await service.records()).layOut(owner, [{ stage: 'running' }])
  const made = (await api.post('/v1/keys', { json: {} })).body
  const leaving = new AbortController()
  t.teardown(() => leaving.abort())
  const watch = (credential: string) =>
    fetch(`${service.shared.url}/transcribe/events/batch/${batch.batchId}`, {
      headers: { Authorization: `Bearer ${credential}` },
      signal: leaving.signal,
    })
  const [byKey, byToken] = [await watch(made.key), await watch(token)]
  let hasTokenEnded = false
  void byToken.text().then(
    () => (hasTokenEnded = true),
    () => undefined,
  )
  await api.delete(`/v1/keys/${made.id}`)
  t.regex(await byKey.text(), /^retry|^:|^event/m)
  t.false(hasTokenEnded)
})

test('looking is often enough for five seconds, unless somebody sets it otherwise', (t) => {
  t.true(readConfig({}).realtimeKeyCheckSeconds <= 3)
})

test('streams that are let go are no longer asked about', (t) => {
  const streams = openStreams()
  let ended = 0
  const [one, other] = [streams.hold('a', () => (ended += 1)), streams.hold('a', () => (ended += 1))]
  one()
  t.deepEqual(streams.keyIds(), ['a'])
  streams.endAllOf('a')
  t.is(ended, 1)
  other()
  t.deepEqual(streams.keyIds(), [])
})

test('a user who sends more than the share of bytes loses the session, whichever it is, and others do not', async (t) => {
  const bytes = openBuckets({ perSecond: 1, burst: 200_000 }, aManualClock())
  const { connect, places } = await aRealtimeServer(t, { bytes })
  const [one, two, other] = [connect({ key: 'good-1' }), connect({ key: 'good-1' }), connect({ key: 'good-2' })]
  await Promise.all([one, two, other].map((client) => client.next('session.created')))
  const event = JSON.stringify({ type: 'nonsense', event_id: 'x'.repeat(150_000) })
  one.send(event)
  await one.next('error')
  two.send(event)
  t.deepEqual(await two.closed, { code: 1008, reason: 'rate_limit_error.rate_limit_exceeded' })
  other.send(event)
  await other.next('error')
  await eventually('only that one is gone', () => places.taken === 2)
})

test('the relay does not start without something that its pages must show', (t) => {
  const origins = { REALTIME_RELAY_ORIGINS: 'https://shop.example' }
  for (const key of ['', 'short'])
    t.throws(() => readConfig({ ...origins, REALTIME_RELAY_KEY: key }), {
      message: /REALTIME_RELAY_KEY: .*at least 16/,
    })
  t.is(readConfig({ ...origins, REALTIME_RELAY_KEY: 'x'.repeat(16) }).realtimeRelayOrigins.length, 1)
})

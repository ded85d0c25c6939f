import { EventEmitter, once } from 'node:events'

import test from 'ava'

import { away } from '../../../actors/failure.ts'
import { principalOf } from '../../../infra/identity/principal.ts'
import { aCertificate } from '../../support/certificate.ts'
import { certificateFiles } from '../../support/certificate-files.ts'
import { eventually } from '../../support/eventually.ts'
import { aRealtimeServer } from '../../support/realtime-server.ts'

test('a program with a key in its header gets session.created as the first event', async (t) => {
  const { connect } = await aRealtimeServer(t)
  const client = connect()
  const created = await client.next('session.created')
  t.is(client.events[0], created)
  t.is(created.session.model, 'gpt-realtime')
  t.is(created.session.object, 'realtime.session')
})

test('without a beta marker the session is of the GA form, with one of the beta form', async (t) => {
  const { connect } = await aRealtimeServer(t)
  t.is((await connect().next('session.created')).session.audio.input.format.type, 'audio/pcm')
  const marked = [
    connect({ headers: { 'OpenAI-Beta': 'realtime=v1' } }),
    connect({ headers: { 'Vaak-Beta': 'realtime=v1' } }),
    connect({ key: null, protocols: ['realtime', 'openai-insecure-api-key.good', 'openai-beta.realtime-v1'] }),
  ]
  for (const client of marked) t.is((await client.next('session.created')).session.input_audio_format, 'pcm16')
})

test('a client of Azure is served at its own addresses, with its own header and the name of its deployment', async (t) => {
  const { connect } = await aRealtimeServer(t)
  const headers = { 'api-key': 'good' }
  const older = connect({
    key: null,
    headers,
    path: '/openai/realtime?api-version=2024-10-01-preview&deployment=voice',
  })
  const { session } = await older.next('session.created')
  t.like(session, { model: 'voice', input_audio_format: 'pcm16' })
  const present = connect({ key: null, headers, path: '/openai/v1/realtime?model=gpt-realtime' })
  t.is((await present.next('session.created')).session.audio.input.format.type, 'audio/pcm')
})

test('a browser with its key in a subprotocol is answered realtime, and never its key', async (t) => {
  const { connect } = await aRealtimeServer(t)
  const client = connect({
    key: null,
    protocols: ['realtime', 'openai-insecure-api-key.good-key', 'openai-agents-sdk.1.0'],
  })
  await client.next('session.created')
  t.is(client.socket.protocol, 'realtime')
  const other = connect({ key: null, protocols: ['vaak-insecure-api-key.good-key', 'chat'] })
  await other.next('session.created')
  t.is(other.socket.protocol, 'chat')
})

const refusals: readonly [title: string, options: object, close: number, reason: string][] = [
  ['no key', { key: null }, 3000, 'invalid_request_error.invalid_api_key'],
  ['a bad key', { key: 'bad' }, 3000, 'invalid_request_error.invalid_api_key'],
  [
    'a key in the query',
    { key: null, path: '/v1/realtime?model=vaak&api_key=good' },
    3000,
    'invalid_request_error.invalid_api_key',
  ],
  [
    'a bad key as Azure has it',
    { key: null, headers: { 'api-key': 'bad' } },
    3000,
    'invalid_request_error.invalid_api_key',
  ],
  [
    'a deployment that is no name',
    { path: '/openai/realtime?deployment=%00' },
    4004,
    'invalid_request_error.model_not_found',
  ],
  ['a forged ephemeral token', { key: 'ek_e30.AAAA' }, 3000, 'invalid_request_error.invalid_api_key'],
  ['no model', { path: '/v1/realtime' }, 4000, 'invalid_request_error.missing_model'],
  ['a model for something else', { path: '/v1/realtime?model=gpt-4o' }, 4000, 'invalid_request_error.invalid_model'],
  ['a model that nobody knows', { path: '/v1/realtime?model=mystery' }, 4004, 'invalid_request_error.model_not_found'],
  ['a call to join', { path: '/v1/realtime?call_id=rtc_1' }, 4000, 'invalid_request_error.unsupported_parameter'],
  [
    'a page of a foreign origin',
    { headers: { origin: 'https://evil.example' } },
    1008,
    'invalid_request_error.origin_not_allowed',
  ],
  ['a page of origin null', { headers: { origin: 'null' } }, 1008, 'invalid_request_error.origin_not_allowed'],
]
for (const [title, options, code, reason] of refusals)
  test(`${title} is told in an error event, then closed with ${code}`, async (t) => {
    const { connect, places } = await aRealtimeServer(t)
    const client = connect(options)
    t.deepEqual(await client.closed, { code, reason })
    t.is(client.events.length, 1)
    t.is(client.events[0].type, 'error')
    t.is(`${client.events[0].error.type}.${client.events[0].error.code}`, reason)
    t.is(typeof client.events[0].event_id, 'string')
    t.is(places.taken, 0)
  })

test('where statuses are asked for, a refusal is an HTTP status and no socket', async (t) => {
  const { connect } = await aRealtimeServer(t, { server: { refuseByStatus: true } })
  t.regex(await connect({ key: 'bad' }).failed, /401/)
  t.regex(await connect({ path: '/v1/realtime?model=mystery' }).failed, /404/)
})

test('names that clients know realtime models by all open a session', async (t) => {
  const { connect } = await aRealtimeServer(t, { doors: { alsoKnown: ['llama-3'] } })
  for (const model of ['vaak', 'vaak-realtime', 'gpt-4o-realtime-preview-2024-10-01', 'gpt-realtime-mini', 'llama-3'])
    t.is((await connect({ path: `/v1/realtime?model=${model}` }).next('session.created')).session.model, model)
  t.is((await connect({ path: '/realtime?model=vaak' }).next('session.created')).type, 'session.created')
})

test('what a client sends before it is let in is heard when it is', async (t) => {
  const door = new EventEmitter()
  const { connect } = await aRealtimeServer(t, {
    identify: () => once(door, 'opened').then(() => ({ principal: principalOf('test', 'hasty') })),
  })
  const client = connect()
  await once(client.socket, 'open')
  client.send({ type: 'input_audio_buffer.clear', event_id: 'first' })
  client.socket.send(Buffer.from('second'))
  client.send({ type: 'nonsense', event_id: 'third' })
  door.emit('opened')
  await client.next('error', 3)
  t.deepEqual(
    client.events.map(({ type }) => type),
    ['session.created', 'input_audio_buffer.cleared', 'error', 'error'],
  )
  t.is(client.events[3].error.event_id, 'third')
})

test('who sends more than a megabyte before it is let in is told so and closed, and holds no place', async (t) => {
  const door = new EventEmitter()
  const { connect, places } = await aRealtimeServer(t, {
    server: { frameMaxBytes: 4 * 1024 * 1024 },
    identify: () => once(door, 'opened').then(() => ({ principal: principalOf('test', 'hasty') })),
  })
  const client = connect()
  await once(client.socket, 'open')
  client.send(' '.repeat(1024 * 1024 + 1))
  t.deepEqual(await client.closed, { code: 1008, reason: 'rate_limit_error.rate_limit_exceeded' })
  door.emit('opened')
  await eventually('its place is free', () => places.taken === 0)
})

test('intent=transcription opens a transcription session', async (t) => {
  const { connect } = await aRealtimeServer(t)
  const created = await connect({ path: '/v1/realtime?intent=transcription' }).next('session.created')
  t.is(created.session.type, 'transcription')
})

test('pages of the server itself, of the list, and of this machine where nobody else can come, may open sessions', async (t) => {
  const { connect, httpUrl } = await aRealtimeServer(t, {
    doors: { origins: { allowed: ['https://app.example'], allowLoopback: false } },
  })
  for (const origin of [httpUrl, 'https://app.example']) await connect({ headers: { origin } }).next('session.created')
  t.is((await connect({ headers: { origin: 'http://localhost:3000' } }).closed).code, 1008)
  const local = await aRealtimeServer(t, { doors: { origins: { allowed: [], allowLoopback: true } } })
  await local.connect({ headers: { origin: 'http://localhost:3000' } }).next('session.created')
  t.is((await local.connect({ headers: { origin: 'http://localhost.evil.example' } }).closed).code, 1008)
})

test('a user has so many sessions and no more, until one of them ends', async (t) => {
  const { connect, places } = await aRealtimeServer(t, { userSessions: 2 })
  const [one, two] = [connect({ key: 'good-asha' }), connect({ key: 'good-asha' })]
  await Promise.all([one.next('session.created'), two.next('session.created')])
  const third = connect({ key: 'good-asha' })
  t.deepEqual(await third.closed, { code: 1008, reason: 'rate_limit_error.rate_limit_exceeded' })
  await connect({ key: 'good-bala' }).next('session.created')
  one.socket.close()
  await one.closed
  await connect({ key: 'good-asha' }).next('session.created')
  t.is(places.taken, 3)
})

test('a full node says so with 1013', async (t) => {
  const { connect } = await aRealtimeServer(t, { sessions: 1 })
  await connect().next('session.created')
  t.deepEqual(await connect({ key: 'good-other' }).closed, { code: 1013, reason: 'server_error.server_full' })
})

test('when keys cannot be looked up the client is asked to come back, and is not told that its key is wrong', async (t) => {
  const { connect } = await aRealtimeServer(t, {
    identify: () => Promise.reject(away('broker_unavailable', 'The broker is away.')),
  })
  t.deepEqual(await connect().closed, { code: 1013, reason: 'server_error.temporarily_unavailable' })
})

test('a session ends with the token that opened it', async (t) => {
  const { connect } = await aRealtimeServer(t, {
    identify: () => Promise.resolve({ principal: { owner: 'o' as never, subject: '' }, untilMs: Date.now() + 3_000 }), // as: any owner
  })
  const client = connect()
  await client.next('session.created')
  t.deepEqual(await client.closed, { code: 1008, reason: 'invalid_request_error.session_expired' })
  t.is(client.events.at(-1).error.code, 'session_expired')
})

test('pages of the relay show its key and need no other; nobody else gets in by it, and without it they do not', async (t) => {
  const key = 'the key of the relay'.replaceAll(' ', '-')
  const relay = { origins: ['https://shop.example'], key, principal: { owner: 'relay' as never, subject: '' } } // as: any owner
  const { connect } = await aRealtimeServer(t, { doors: { relay } })
  const origin = 'https://shop.example'
  await connect({ key, headers: { origin } }).next('session.created')
  await connect({ key: null, headers: { origin }, protocols: ['realtime', `openai-insecure-api-key.${key}`] }).next(
    'session.created',
  )
  t.is((await connect({ key: null, headers: { origin } }).closed).code, 3000)
  t.is((await connect({ key }).closed).code, 3000)
  t.is((await connect({ key, headers: { origin: 'https://other.example' } }).closed).code, 1008)
  t.is((await connect({ key: 'bad', headers: { origin } }).closed).code, 3000)
  t.is((await connect({ key: null }).closed).code, 3000)
})

test('a server that drains takes nobody new, lets sessions end, and closes them with 1012', async (t) => {
  const { connect, server, httpUrl } = await aRealtimeServer(t)
  const client = connect()
  await client.next('session.created')
  t.is((await fetch(`${httpUrl}/readyz`)).status, 200)
  const drained = server.drain(5_000)
  t.is((await client.closed).code, 1012)
  await drained
  t.truthy(await connect().failed)
})

test('with a certificate the same port speaks wss, and nothing in the clear', async (t) => {
  const tls = await certificateFiles(t, aCertificate('localhost'))
  const realtime = await aRealtimeServer(t, { server: { tls } })
  // its own key signed the certificate, so nobody vouches for it
  const client = realtime.connect({ client: { rejectUnauthorized: false } })
  await client.next('session.created')
  await t.throwsAsync(fetch(`${realtime.httpUrl.replace('https', 'http')}/healthz`))
})

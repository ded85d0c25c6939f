import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'

import test from 'ava'
import type { ExecutionContext } from 'ava'

import { retryable } from '../../../actors/failure.ts'
import { freePort } from '../../../infra/process/free-port.ts'
import { eventually } from '../../support/eventually.ts'
import { aPassingGateway } from '../../support/passing-gateway.ts'
import { head, rawConnection, rawExchange } from '../../support/raw-http.ts'
import { aRealtimeServer } from '../../support/realtime-server.ts'

/** Sessions that are opened at a gateway, which passes them on. */

test('a session at the gateway is one of the realtime server, whatever is said in it', async (t) => {
  const realtime = await aRealtimeServer(t)
  const { connect } = await aPassingGateway(t, realtime)
  const client = connect({ protocols: ['realtime', 'openai-insecure-api-key.good', 'openai-beta.realtime-v1'] })
  const { session } = await client.next('session.created')
  t.is(session.input_audio_format, 'pcm16')
  t.is(client.socket.protocol, 'realtime')
  t.is(realtime.places.taken, 1)
  const instructions = 'नमस्ते '.repeat(9_000)
  client.send({ type: 'session.update', session: { instructions } })
  t.is((await client.next('session.updated')).session.instructions, instructions)
  client.socket.close(1000, 'enough')
  t.deepEqual(await client.closed, { code: 1000, reason: 'enough' })
  await eventually('its place is free', () => realtime.places.taken === 0)
})

test('all addresses of sessions are passed on, with the key where each client puts it', async (t) => {
  const { connect } = await aPassingGateway(t, await aRealtimeServer(t))
  const azure = { key: null, headers: { 'api-key': 'good' } }
  const clients = [
    connect({ path: '/realtime?model=vaak' }),
    connect({ ...azure, path: '/openai/realtime?deployment=voice' }),
    connect({ ...azure, path: '/openai/v1/realtime?model=gpt-realtime' }),
    connect({ headers: { 'OpenAI-Beta': 'realtime=v1' } }),
  ]
  const forms = await Promise.all(clients.map((client) => client.next('session.created')))
  t.deepEqual(
    forms.map(({ session }) => (session.input_audio_format ? 'beta' : 'ga')),
    ['ga', 'beta', 'ga', 'beta'],
  )
})

const refusals: readonly [title: string, options: object, code: number, reason: string][] = [
  ['a bad key', { key: 'bad' }, 3000, 'invalid_request_error.invalid_api_key'],
  ['no model', { path: '/v1/realtime' }, 4000, 'invalid_request_error.missing_model'],
  ['a foreign page', { headers: { origin: 'https://evil.example' } }, 1008, 'invalid_request_error.origin_not_allowed'],
]
for (const [title, options, code, reason] of refusals)
  test(`${title} is refused through the gateway as it is without it`, async (t) => {
    const { connect } = await aPassingGateway(t, await aRealtimeServer(t))
    const client = connect(options)
    t.deepEqual(await client.closed, { code, reason })
    t.is(client.events[0].type, 'error')
  })

test('a page of the gateway itself may open sessions', async (t) => {
  const gateway = await aPassingGateway(t, await aRealtimeServer(t))
  await gateway.connect({ headers: { origin: gateway.httpUrl } }).next('session.created')
  t.pass()
})

test('a refusal by status has its status and its reason through the gateway', async (t) => {
  const { connect, httpUrl } = await aPassingGateway(t, await aRealtimeServer(t, { server: { refuseByStatus: true } }))
  t.regex(await connect({ key: 'bad' }).failed, /401/)
  const refused = await rawExchange(t, httpUrl, opening('Authorization: Bearer bad'))
  t.is(refused.status, 401)
  t.is(JSON.parse(refused.body).error.code, 'invalid_api_key')
})

test('a server that drains tells clients of the gateway so', async (t) => {
  const realtime = await aRealtimeServer(t)
  const client = (await aPassingGateway(t, realtime)).connect()
  await client.next('session.created')
  await realtime.server.drain(5_000)
  t.deepEqual(await client.closed, { code: 1012, reason: 'Service restart' })
})

test('without a realtime server a session is refused with 503, and the gateway goes on', async (t) => {
  const gateway = await aPassingGateway(t, { httpUrl: `http://127.0.0.1:${await freePort()}` })
  const { status, headers, body } = await rawExchange(t, gateway.httpUrl, opening())
  t.is(status, 503)
  t.is(headers.get('retry-after'), '5')
  t.is(headers.get('x-content-type-options'), 'nosniff')
  t.regex(JSON.parse(body).detail, /realtime server does not answer/)
  t.is((await fetch(gateway.httpUrl, { method: 'POST', body: 'still here' })).status, 200)
})

test('a realtime server that does not answer is waited for no longer than the limit', async (t) => {
  const silent = await rawListener(t)
  const gateway = await aPassingGateway(t, { httpUrl: silent }, { limits: { answerMs: 100 } })
  t.is((await rawExchange(t, gateway.httpUrl, opening())).status, 503)
})

test('no more sessions are passed on than the limit, and one that ends makes room', async (t) => {
  const { connect } = await aPassingGateway(t, await aRealtimeServer(t), { limits: { sessions: 1 } })
  const first = connect()
  await first.next('session.created')
  t.regex(await connect().failed, /503/)
  first.socket.terminate()
  const again = await eventually('there is room', async () => {
    const client = connect()
    const isIn = await Promise.race([client.next('session.created'), client.failed.then(() => false)])
    return isIn && client
  })
  t.is(again.events[0].type, 'session.created')
})

test('who asks too often is told to wait, before the realtime server is asked', async (t) => {
  const refuse = (): never => {
    throw retryable('too_many_requests', 'Your network asks too often.')
  }
  const { httpUrl } = await aPassingGateway(t, await aRealtimeServer(t), { rates: { fromAddress: refuse } })
  t.is((await rawExchange(t, httpUrl, opening())).status, 429)
})

test('a client that goes without a word leaves nothing behind', async (t) => {
  const realtime = await aRealtimeServer(t)
  const client = (await aPassingGateway(t, realtime)).connect()
  await client.next('session.created')
  client.socket.terminate()
  await eventually('its place is free', () => realtime.places.taken === 0)
  t.is(realtime.places.taken, 0)
})

test('a client that reads nothing is closed by the realtime server, and others do not notice', async (t) => {
  const realtime = await aRealtimeServer(t, {
    server: { socketLimits: { sendBufferBytes: 256 * 1024, framesAtOnce: 100_000, framesPerSecond: 100_000 } },
  })
  const { connect } = await aPassingGateway(t, realtime, { limits: { lingerMs: 100 } })
  const other = connect()
  await other.next('session.created')
  const client = connect()
  await client.next('session.created')
  client.socket.pause()
  // every wrong event is answered with an error
  for (let at = 0; at < 100_000 && realtime.places.taken > 1; at += 1) {
    client.send(`{"type":"nonsense","event_id":"${'x'.repeat(400)}"}`)
    if (at % 500 === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  await eventually('its session is over', () => realtime.places.taken === 1)
  other.send({ type: 'input_audio_buffer.clear' })
  await other.next('input_audio_buffer.cleared')
  client.socket.resume()
  await client.closed
  t.is(other.socket.readyState, other.socket.OPEN)
})

test('a gateway that stops waits for its sessions so long, then cuts them off', async (t) => {
  const realtime = await aRealtimeServer(t)
  const gateway = await aPassingGateway(t, realtime)
  const client = gateway.connect()
  await client.next('session.created')
  await gateway.close(50)
  t.is((await client.closed).code, 1006)
  await eventually('its place is free', () => realtime.places.taken === 0)
})

test('bytes that come with the request are not sent before the server speaks in frames', async (t) => {
  const realtime = await aRealtimeServer(t, { server: { refuseByStatus: true } })
  const { httpUrl } = await aPassingGateway(t, realtime)
  const smuggled = head('GET /healthz HTTP/1.1', 'Host: x')
  const connection = await rawConnection(t, httpUrl)
  await connection.send(opening('Authorization: Bearer bad', 'Content-Length: 0'), smuggled)
  const all = await connection.closed
  t.is(all.match(/HTTP\/1\.1/g)?.length, 1)
})

test('an upgrade that nobody knows is not taken for one: the request is answered, with its body', async (t) => {
  const { httpUrl } = await aPassingGateway(t, await aRealtimeServer(t))
  const asJava = ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAEAAEAAAAIAAAAB']
  const offers = [
    ['POST /v1/realtime HTTP/1.1', ...asJava],
    ['POST /files HTTP/1.1', 'Connection: Upgrade', 'Upgrade: websocket'],
  ]
  for (const offer of offers) {
    const lines = head(...offer, 'Host: x', 'Content-Type: text/plain', 'Content-Length: 5')
    const connection = await rawConnection(t, httpUrl)
    await connection.send(lines, 'hello')
    await eventually('the body comes back', () => /^HTTP\/1\.1 200[\s\S]*hello/.test(connection.received()))
  }
  t.pass()
})

function opening(...lines: readonly string[]): string {
  return head(
    'GET /v1/realtime?model=vaak HTTP/1.1',
    'Host: x',
    'Upgrade: websocket',
    'Connection: Upgrade',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    'Sec-WebSocket-Version: 13',
    ...lines,
  )
}

/** Takes connections, and says nothing. */
async function rawListener(t: ExecutionContext): Promise<string> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => void sockets.add(socket)).listen(0, '127.0.0.1')
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}` // as: it listens on a port, not on a pipe
}

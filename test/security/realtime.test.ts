import { once } from 'node:events'
import { connect as connectTcp } from 'node:net'
import type { Socket } from 'node:net'

import test from 'ava'
import type { ExecutionContext } from 'ava'

import type { Caller } from '../../actors/identity.ts'
import { principalOf } from '../../infra/identity/principal.ts'
import { eventually } from '../support/eventually.ts'
import { aRealtimeServer } from '../support/realtime-server.ts'

const mb = 1024 * 1024
const upgrade =
  'GET /v1/realtime?model=vaak HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\nAuthorization: Bearer good\r\n\r\n'

async function aSocketThatSends(t: ExecutionContext, port: number, text: string): Promise<Socket> {
  const socket = connectTcp(port, '127.0.0.1')
  socket.on('error', () => undefined)
  t.teardown(() => socket.destroy())
  await once(socket, 'connect')
  socket.write(text)
  return socket
}

test('a client that never reads is closed, and what it left unread does not grow', async (t) => {
  const sendBufferBytes = 256 * 1024
  const { connect, places } = await aRealtimeServer(t, {
    server: { socketLimits: { sendBufferBytes, framesAtOnce: 100_000, framesPerSecond: 100_000 } },
  })
  const client = connect()
  await client.next('session.created')
  client.socket.pause()
  const before = process.memoryUsage().rss
  // every wrong event is answered with an error
  for (let at = 0; at < 60_000 && places.taken > 0; at += 1) {
    client.send(`{"type":"nonsense","event_id":"${'x'.repeat(400)}"}`)
    if (at % 500 === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  await eventually('its session is over', () => places.taken === 0)
  t.true(process.memoryUsage().rss - before < 200 * mb)
})

test('a frame beyond the limit ends the connection and nothing else', async (t) => {
  const { connect, places } = await aRealtimeServer(t, { server: { frameMaxBytes: 64 * 1024 } })
  const other = connect()
  await other.next('session.created')
  const client = connect()
  await client.next('session.created')
  client.send('x'.repeat(65 * 1024))
  await client.closed
  await eventually('its place is free', () => places.taken === 1)
  other.send({ type: 'input_audio_buffer.clear' })
  await other.next('input_audio_buffer.cleared')
  t.pass()
})

test('invalid UTF-8 and binary frames do not end the server; binary is refused and the session lives on', async (t) => {
  const { connect } = await aRealtimeServer(t)
  const broken = connect()
  await broken.next('session.created')
  broken.socket.send(Buffer.from([0xff, 0xfe, 0xfd]), { binary: false })
  await broken.closed
  const client = connect()
  await client.next('session.created')
  client.socket.send(Buffer.from([1, 2, 3]), { binary: true })
  t.is((await client.next('error')).error.code, 'invalid_event')
  client.send({ type: 'input_audio_buffer.clear' })
  await client.next('input_audio_buffer.cleared')
})

test('a flood of frames is cut off with a reason', async (t) => {
  const { connect } = await aRealtimeServer(t, {
    server: { socketLimits: { sendBufferBytes: 64 * mb, framesAtOnce: 100, framesPerSecond: 10 } },
  })
  const client = connect()
  await client.next('session.created')
  for (let at = 0; at < 500; at += 1) client.send({ type: 'input_audio_buffer.clear' })
  t.deepEqual(await client.closed, { code: 1008, reason: 'rate_limit_error.rate_limit_exceeded' })
})

test('a flood of pings is cut off with a reason', async (t) => {
  const { connect } = await aRealtimeServer(t, {
    server: { socketLimits: { sendBufferBytes: 64 * mb, framesAtOnce: 100, framesPerSecond: 10 } },
  })
  const client = connect()
  await client.next('session.created')
  for (let at = 0; at < 500; at += 1) client.socket.ping()
  t.deepEqual(await client.closed, { code: 1008, reason: 'rate_limit_error.rate_limit_exceeded' })
})

test('a client that pings and never reads the answers is closed', async (t) => {
  const { connect, places } = await aRealtimeServer(t, {
    server: { socketLimits: { sendBufferBytes: 256 * 1024, framesAtOnce: 1_000_000, framesPerSecond: 1_000 } },
  })
  const client = connect()
  await client.next('session.created')
  client.socket.pause()
  const payload = Buffer.alloc(125)
  for (let at = 0; at < 300_000 && places.taken > 0; at += 1) {
    client.socket.ping(payload)
    if (at % 500 === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  await eventually('its session is over', () => places.taken === 0)
  t.is(places.taken, 0)
})

test('a message in many pieces is bounded as one in one piece is', async (t) => {
  const { connect, places } = await aRealtimeServer(t, { server: { frameMaxBytes: 64 * 1024 } })
  const client = connect()
  await client.next('session.created')
  const piece = 'x'.repeat(1024)
  for (let at = 0; at < 80 && client.socket.readyState === client.socket.OPEN; at += 1)
    client.socket.send(piece, { fin: false })
  await client.closed
  await eventually('its place is free', () => places.taken === 0)
  t.is(client.events.length, 1)
})

test('nothing is compressed, whatever a client offers', async (t) => {
  const { connect } = await aRealtimeServer(t)
  const client = connect({ client: { perMessageDeflate: true } })
  await client.next('session.created')
  t.is(client.socket.extensions, '')
})

test('a cookie opens no session', async (t) => {
  const { connect } = await aRealtimeServer(t)
  const client = connect({ key: null, headers: { cookie: 'token=good; authorization=Bearer good; session=good' } })
  t.is((await client.closed).reason, 'invalid_request_error.invalid_api_key')
})

test('clients that leave while they are being identified take no place', async (t) => {
  const waiting: ((caller: Caller) => void)[] = []
  const { connect, places, server } = await aRealtimeServer(t, {
    identify: () => new Promise((resolve) => waiting.push(resolve)),
  })
  const sockets = await Promise.all(Array.from({ length: 50 }, () => aSocketThatSends(t, server.port, upgrade)))
  await eventually('all wait', () => waiting.length === 50)
  for (const socket of sockets) socket.resetAndDestroy()
  const patient = connect()
  await eventually('the patient one waits too', () => waiting.length === 51)
  for (const answer of waiting) answer({ principal: principalOf('test', 'asha') })
  await patient.next('session.created')
  await eventually('one place is taken', () => places.taken === 1)
  t.is(places.taken, 1)
})

test('sockets that never finish asking hold nobody up, and are closed', async (t) => {
  const { connect, places, server } = await aRealtimeServer(t)
  const half = upgrade.slice(0, upgrade.length / 2)
  const sockets = await Promise.all(Array.from({ length: 500 }, () => aSocketThatSends(t, server.port, half)))
  await connect().next('session.created')
  t.is(places.taken, 1)
  for (const socket of sockets) socket.resume()
  await eventually('all are closed', () => sockets.every(({ closed }) => closed))
})

test('who answers no ping is closed, and its place is free', async (t) => {
  const { places, server } = await aRealtimeServer(t, { server: { pingSeconds: 4 } })
  const mute = await aSocketThatSends(t, server.port, upgrade)
  mute.resume()
  await eventually('it is let in', () => places.taken === 1)
  await eventually('it is closed', () => mute.closed)
  await eventually('its place is free', () => places.taken === 0)
  t.is(places.taken, 0)
})

test('after its socket is gone nothing more is asked for a session', async (t) => {
  let signal: AbortSignal | undefined
  const { connect } = await aRealtimeServer(t, {
    speech: {
      answers: {
        async *answer(_request, given) {
          signal = given
          yield { kind: 'text', delta: 'One moment.' } as const
          await new Promise((_resolve, reject) => {
            given.addEventListener('abort', () => reject(given.reason as Error))
          })
        },
      },
    },
  })
  const client = connect()
  await client.next('session.created')
  client.send({ type: 'response.create' })
  await eventually('the model is asked', () => signal)
  client.socket.terminate()
  await eventually('the model is told to stop', () => signal?.aborted)
  t.true(signal?.aborted)
})

test('no refusal repeats the key that was shown', async (t) => {
  const { connect } = await aRealtimeServer(t)
  const secret = 'bad-secret-value'
  for (const options of [
    { key: secret },
    { key: null, protocols: ['realtime', `openai-insecure-api-key.${secret}`] },
  ]) {
    const client = connect(options)
    const { reason } = await client.closed
    t.false(JSON.stringify(client.events).includes(secret))
    t.false(reason.includes(secret))
    t.not(client.socket.protocol, `openai-insecure-api-key.${secret}`)
  }
})

import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'

import test from 'ava'

import { freePort } from '../../../infra/process/free-port.ts'
import { aCaller, anOffer, postOffer } from '../../support/caller.ts'
import { aCallingGateway } from '../../support/calling-gateway.ts'
import { aCertificate } from '../../support/certificate.ts'
import { certificateFiles } from '../../support/certificate-files.ts'
import { eventually } from '../../support/eventually.ts'
import { someKeptSessions } from '../../support/kept-sessions.ts'
import { aRealtimeServer } from '../../support/realtime-server.ts'
import { userSays } from '../../support/realtime-session.ts'

/** Calls that are offered to a gateway, which passes them on. */

const ours = 'https://app.example'
const post = (url: string, key: string): Promise<Response> =>
  fetch(url, { method: 'POST', headers: { authorization: `Bearer ${key}` } })

// one after the other: a handshake is much arithmetic
test.serial('a call at the gateway is one of the realtime server, and is hung up there too', async (t) => {
  const realtime = await aRealtimeServer(t)
  const url = await aCallingGateway(t, realtime)
  const session = { type: 'realtime', model: 'gpt-realtime', instructions: 'Be brief.' }
  const caller = await aCaller(t, url, { session })
  t.regex(caller.location, /^\/v1\/realtime\/calls\/rtc_\w+$/)
  await caller.log.next('session.created')
  t.is((await caller.log.next('session.updated'))['session'].instructions, 'Be brief.')
  t.is(realtime.places.taken, 1)
  t.is((await post(`${url}${caller.location}/hangup`, 'good-other')).status, 404)
  const hungUp = await post(`${url}${caller.location}/hangup`, 'good')
  t.deepEqual([hungUp.status, await hungUp.json()], [200, {}])
  await caller.ended
  await eventually('its place is free', () => realtime.places.taken === 0)
})

test.serial('an offer at the older address of the gateway opens a call too', async (t) => {
  const url = await aCallingGateway(t, await aRealtimeServer(t))
  const caller = await aCaller(t, url, { path: '/v1/realtime?model=gpt-realtime-mini' })
  t.is((await caller.log.next('session.created'))['session'].model, 'gpt-realtime-mini')
})

test.serial('a session that began over a WebSocket goes on as a call, and one that nobody has does not', async (t) => {
  const realtime = await aRealtimeServer(t, { kept: someKeptSessions() })
  const url = await aCallingGateway(t, realtime)
  const socket = realtime.connect()
  const { session } = await socket.next('session.created')
  socket.send(userSays('hello', 'one'))
  await socket.next('conversation.item.done')
  socket.socket.terminate()
  await eventually('its place is free', () => realtime.places.taken === 0)
  const caller = await aCaller(t, url, { path: `/v1/realtime/calls?resume=${session.id}` })
  t.is((await caller.log.next('session.created'))['session'].id, session.id)
  t.is((await caller.log.next('conversation.item.done'))['item'].id, 'one')
  const { offer: body } = await anOffer(t)
  const headers = { authorization: 'Bearer good', 'content-type': 'application/sdp' }
  const none = await fetch(`${url}/v1/realtime/calls?resume=sess_none`, { method: 'POST', headers, body })
  t.is(none.status, 404)
})

test.serial('an ephemeral token opens a call at the gateway, and hangs up none', async (t) => {
  const realtime = await aRealtimeServer(t)
  const url = await aCallingGateway(t, realtime)
  const made = await fetch(`${realtime.httpUrl}/v1/realtime/client_secrets`, {
    method: 'POST',
    headers: { authorization: 'Bearer good', 'content-type': 'application/json' },
    body: JSON.stringify({ session: { type: 'realtime', instructions: 'Be kind.' } }),
  })
  const { value: key } = (await made.json()) as { value: string }
  t.regex(key, /^ek_/)
  const caller = await aCaller(t, url, { key })
  t.is((await caller.log.next('session.created'))['session'].instructions, 'Be kind.')
  t.is((await post(`${url}${caller.location}/hangup`, key)).status, 401)
  t.is((await post(`${url}${caller.location}/hangup`, 'good')).status, 200)
})

test.serial(
  'a page of an origin in the settings may call through the gateway, and read which call it is',
  async (t) => {
    const doors = { origins: { allowed: [ours], allowLoopback: false } }
    const realtime = await aRealtimeServer(t, { doors })
    const url = await aCallingGateway(t, realtime, { origins: [ours] })
    const asked = { 'Access-Control-Request-Method': 'POST', 'Access-Control-Request-Headers': 'authorization' }
    const preflight = await fetch(`${url}/v1/realtime/calls`, {
      method: 'OPTIONS',
      headers: { Origin: ours, ...asked },
    })
    t.is(preflight.status, 204)
    t.is(preflight.headers.get('access-control-allow-origin'), ours)
    const { offer: body } = await anOffer(t)
    const from = (origin: string): Promise<Response> =>
      fetch(`${url}/v1/realtime/calls`, {
        method: 'POST',
        headers: { authorization: 'Bearer good', 'content-type': 'application/sdp', origin },
        body,
      })
    const [answer, foreign] = [await from(ours), await from('https://evil.example')]
    t.is(answer.status, 201)
    t.is(answer.headers.get('content-type'), 'application/sdp')
    t.is(answer.headers.get('access-control-allow-origin'), ours)
    t.regex(answer.headers.get('access-control-expose-headers') ?? '', /\bLocation\b/)
    t.is(foreign.status, 403)
    t.is(foreign.headers.get('access-control-allow-origin'), null)
    t.is(realtime.places.taken, 1)
  },
)

test.serial(
  'what is refused through the gateway has the status, the words and the shape that it has without it',
  async (t) => {
    const realtime = await aRealtimeServer(t, { userSessions: 1 })
    const url = await aCallingGateway(t, realtime)
    const { offer } = await anOffer(t)
    t.is((await postOffer(url, offer, { key: 'good-asha' })).status, 201)
    const wrong: readonly (readonly [status: number, sdp: string, options: object])[] = [
      [400, 'hello', {}],
      [400, offer, { session: { type: 'realtime', voice: 7 } }],
      [429, offer, { key: 'good-asha' }],
    ]
    for (const [status, sdp, options] of wrong) {
      const [here, there] = [await postOffer(url, sdp, options), await postOffer(realtime.httpUrl, sdp, options)]
      t.deepEqual([here.status, there.status], [status, status])
      t.deepEqual(await here.json(), await there.json())
    }
    const unknown = await postOffer(url, offer, { key: 'bad' })
    t.is(unknown.status, 401)
    t.is(unknown.headers.get('www-authenticate'), 'Bearer error="invalid_token"')
    t.like(await unknown.json(), { error: { type: 'invalid_request_error', param: null } })
  },
)

test.serial('an offer that is too large does not reach the realtime server', async (t) => {
  const url = await aCallingGateway(t, { httpUrl: `http://127.0.0.1:${await freePort()}` })
  t.is((await postOffer(url, `v=0\r\n${'x'.repeat(300 * 1024)}`)).status, 413)
})

test.serial('without a realtime server a call is refused with 503, as one that does not answer in time', async (t) => {
  const sockets = new Set<Socket>()
  const silent = createServer((socket) => void sockets.add(socket)).listen(0, '127.0.0.1')
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    silent.close()
  })
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo // as: it listens on a port, not on a pipe
  const away = await aCallingGateway(t, { httpUrl: `http://127.0.0.1:${await freePort()}` })
  const slow = await aCallingGateway(t, { httpUrl: `http://127.0.0.1:${port}` }, { answerMs: 100 })
  for (const url of [away, slow]) {
    const answer = await postOffer(url, 'v=0')
    t.is(answer.status, 503)
    t.is(answer.headers.get('retry-after'), '5')
    t.regex(((await answer.json()) as { detail: string }).detail, /realtime server does not answer/)
  }
})

test.serial('a call is opened through the gateway over TLS as well', async (t) => {
  const certificate = aCertificate('localhost')
  const realtime = await aRealtimeServer(t, { server: { tls: await certificateFiles(t, certificate) } })
  const url = await aCallingGateway(t, realtime, { certificate })
  t.regex(url, /^https:/)
  const caller = await aCaller(t, url, { ca: certificate.cert })
  t.like(await caller.log.next('session.created'), { session: { object: 'realtime.session' } })
})

import { createSocket } from 'node:dgram'

import test from 'ava'

import { principalOf } from '../../infra/identity/principal.ts'
import { anOffer, aCaller, postOffer } from '../support/caller.ts'
import { eventually } from '../support/eventually.ts'
import { aRealtimeServer } from '../support/realtime-server.ts'

interface Refusal {
  readonly detail: string
  readonly error: { readonly message: string }
}

const hangUp = (url: string, location: string, key: string): Promise<Response> =>
  fetch(`${url}${location}/hangup`, { method: 'POST', headers: { authorization: `Bearer ${key}` } })

// one after the other: a handshake is much arithmetic
test.serial('what is no offer is refused with the reason, and holds no place', async (t) => {
  const realtime = await aRealtimeServer(t)
  const { offer } = await anOffer(t)
  const wrong: readonly (readonly [string, RegExp])[] = [
    ['', /v=0/],
    ['hello', /v=0/],
    [offer.replace('m=audio', 'm=text'), /no audio/],
    [offer.replaceAll('UDP/TLS/RTP/SAVPF', 'RTP/AVP'), /no audio/],
    [offer.replaceAll(/opus/gi, 'speex'), /no Opus/],
    [offer.replaceAll(/^a=fingerprint.*\r\n/gm, ''), /no fingerprint/],
    [offer.replaceAll(/^a=ice-pwd.*\r\n/gm, ''), /no ice-pwd/],
    [`${offer}${'m=video 9 UDP/TLS/RTP/SAVPF 97\r\n'.repeat(9)}`, /more than 4 media/],
    [`${offer}${'a=x\r\n'.repeat(2_000)}`, /more than 1000 lines/],
    [`${offer}a=${'x'.repeat(5_000)}\r\n`, /more than 4096/],
    [
      'v=0\r\nm=audio 9 UDP/TLS/RTP/SAVPF 1\r\na=rtpmap:1 opus/48000\r\na=fingerprint:sha-256 AA\r\na=ice-ufrag:a\r\na=ice-pwd:b\r\n',
      /not understood/,
    ],
  ]
  for (const [sdp, reason] of wrong) {
    const answer = await postOffer(realtime.httpUrl, sdp)
    const { detail, error } = (await answer.json()) as Refusal
    t.is(answer.status, 400, detail)
    t.regex(detail, reason)
    t.is(error.message, detail)
  }
  t.is(realtime.places.taken, 0)
})

test.serial('a body that is too large, or of another type, is refused by its status', async (t) => {
  const realtime = await aRealtimeServer(t)
  t.is((await postOffer(realtime.httpUrl, `v=0\r\n${'x'.repeat(300 * 1024)}`)).status, 413)
  const headers = { authorization: 'Bearer good', 'content-type': 'application/json' }
  const answer = await fetch(`${realtime.httpUrl}/v1/realtime/calls`, { method: 'POST', headers, body: '{}' })
  t.is(answer.status, 415)
})

test.serial('settings that no session could have are refused before there is a call', async (t) => {
  const realtime = await aRealtimeServer(t)
  const { offer } = await anOffer(t)
  const answer = await postOffer(realtime.httpUrl, offer, { session: { type: 'realtime', voice: 7 } })
  t.is(answer.status, 400)
  t.is(realtime.places.taken, 0)
})

test.serial('calls need a key that is known and may open sessions', async (t) => {
  const scopes = ['transcribe'] as const
  const identify = () => Promise.resolve({ principal: principalOf('test', 'asha'), keyId: 'key_1', scopes })
  const [open, narrow] = [await aRealtimeServer(t), await aRealtimeServer(t, { identify })]
  const { offer } = await anOffer(t)
  t.is((await postOffer(open.httpUrl, offer, { key: 'bad' })).status, 401)
  t.is((await postOffer(narrow.httpUrl, offer)).status, 403)
})

test.serial('pages of other origins open no calls', async (t) => {
  const realtime = await aRealtimeServer(t)
  const { offer } = await anOffer(t)
  const headers = { authorization: 'Bearer good', 'content-type': 'application/sdp', origin: 'https://evil.example' }
  const answer = await fetch(`${realtime.httpUrl}/v1/realtime/calls`, { method: 'POST', headers, body: offer })
  t.is(answer.status, 403)
})

test.serial('a user has no more calls than sessions', async (t) => {
  const realtime = await aRealtimeServer(t, { userSessions: 1 })
  const { offer } = await anOffer(t)
  t.is((await postOffer(realtime.httpUrl, offer)).status, 201)
  t.is((await postOffer(realtime.httpUrl, offer)).status, 429)
  t.is((await postOffer(realtime.httpUrl, offer, { key: 'good-other' })).status, 201)
})

test.serial('a call that nobody picks up ends after a while, and gives its place back', async (t) => {
  const address = { hosts: ['127.0.0.1'] }
  const realtime = await aRealtimeServer(t, { server: { calls: { address, connectMs: 3_000 } } })
  const { offer } = await anOffer(t)
  t.is((await postOffer(realtime.httpUrl, offer)).status, 201)
  t.is(realtime.places.taken, 1)
  await eventually('its place is free', () => realtime.places.taken === 0)
})

test.serial('calls take ports of the range only, and none when it is used up', async (t) => {
  // below those that the system gives to whoever asks for any
  const ports = { from: 22_411, to: 22_412 }
  const address = { hosts: ['127.0.0.1'], ports }
  const realtime = await aRealtimeServer(t, { server: { calls: { address, connectMs: 60_000 } } })
  const { offer } = await anOffer(t)
  const answers = [await postOffer(realtime.httpUrl, offer), await postOffer(realtime.httpUrl, offer)]
  for (const answer of answers) t.regex(await answer.text(), /^a=candidate:.* 127\.0\.0\.1 2241[12] typ host/m)
  const refused = await postOffer(realtime.httpUrl, offer)
  t.is(refused.status, 503)
  t.is(realtime.places.taken, 2)
})

test.serial('a call is hung up by its owner, and whose it is nobody else learns', async (t) => {
  const realtime = await aRealtimeServer(t)
  const caller = await aCaller(t, realtime.httpUrl, { key: 'good-asha' })
  await caller.log.next('session.created')
  const foreign = await hangUp(realtime.httpUrl, caller.location, 'good-ravi')
  const unknown = await hangUp(realtime.httpUrl, '/v1/realtime/calls/rtc_nobody', 'good-asha')
  t.deepEqual([foreign.status, unknown.status], [404, 404])
  t.deepEqual(await foreign.json(), await unknown.json())
  t.is((await hangUp(realtime.httpUrl, caller.location, 'bad')).status, 401)
  t.is((await hangUp(realtime.httpUrl, caller.location, 'good-asha')).status, 200)
  await caller.ended
  await eventually('its place is free', () => realtime.places.taken === 0)
})

test.serial('a server sends nothing to addresses that an offer names', async (t) => {
  const realtime = await aRealtimeServer(t)
  const { offer } = await anOffer(t)
  const stranger = createSocket('udp4')
  t.teardown(() => stranger.close())
  let came = 0
  stranger.on('message', () => void (came += 1))
  await new Promise<void>((resolve) => void stranger.bind(0, '127.0.0.1', resolve))
  const named = `a=candidate:1 1 udp 2130706431 127.0.0.1 ${stranger.address().port} typ host\r\n`
  const answer = await postOffer(realtime.httpUrl, `${offer.replaceAll(/^a=candidate.*\r\n/gm, '')}${named}`)
  t.is(answer.status, 201)
  // a whole call in the meantime: whoever is asked within it would have been asked by now
  const caller = await aCaller(t, realtime.httpUrl)
  await caller.log.next('session.created')
  t.is(came, 0)
})

import test from 'ava'

import { principalOf } from '../../../infra/identity/principal.ts'
import { ending } from '../../../realtime/close.ts'
import { aCaller, anOffer, postOffer } from '../../support/caller.ts'
import type { EventLog } from '../../support/event-log.ts'
import { eventually } from '../../support/eventually.ts'
import { aLossyRelay } from '../../support/lossy-relay.ts'
import { aDetector, aListener, aModel, says } from '../../support/realtime-fakes.ts'
import { aRealtimeServer } from '../../support/realtime-server.ts'

// one after the other: a handshake is much arithmetic
/** In whichever order: what is told and what is played go their own ways. */
const came = (log: EventLog, type: string) => eventually(`${type} comes`, () => log.only(type)[0])

test.serial('a call has the events of a session on its channel, and its audio beside it', async (t) => {
  const [listener, model] = [aListener(), aModel()]
  listener.next.push('what is the weather')
  model.next.push(says('It is sunny.'))
  const realtime = await aRealtimeServer(t, { speech: { listener, answers: model } })
  const caller = await aCaller(t, realtime.httpUrl)
  t.regex(caller.location, /^\/v1\/realtime\/calls\/rtc_\w+$/)
  t.like(await caller.log.next('session.created'), { session: { object: 'realtime.session' } })
  caller.speak(400, false)
  caller.speak(500, true)
  caller.speak(800, false)
  await caller.log.next('input_audio_buffer.speech_started')
  await caller.log.next('output_audio_buffer.started')
  await came(caller.log, 'output_audio_buffer.stopped')
  const { response } = await came(caller.log, 'response.done')
  t.is(response.output[0].content[0].transcript, 'It is sunny.')
  t.deepEqual(caller.log.only('response.output_audio.delta'), [])
  t.like(model.asked[0]!.turns[0], { text: 'what is the weather' })
  // 300 ms of audio are 15 packets
  await eventually('the audio of the answer comes', () => caller.packets.length >= 15)
})

test.serial('who speaks interrupts an answer, and no more of it is sent', async (t) => {
  const model = aModel()
  model.next.push(says('One two three four five six seven eight nine ten. '.repeat(400)))
  const realtime = await aRealtimeServer(t, { speech: { answers: model } })
  const caller = await aCaller(t, realtime.httpUrl)
  await caller.log.next('session.created')
  caller.send({ type: 'response.create' })
  await caller.log.next('output_audio_buffer.started')
  caller.speak(400, false)
  caller.speak(500, true)
  const { response_id } = await caller.log.next('output_audio_buffer.cleared')
  const { response } = await caller.log.next('response.done')
  t.is(response.status_details.reason, 'turn_detected')
  t.is(response_id, response.id)
})

test.serial('the settings of an offer are those of the session, whatever audio they name', async (t) => {
  const realtime = await aRealtimeServer(t)
  const session = {
    type: 'realtime',
    model: 'gpt-realtime',
    instructions: 'Be brief.',
    audio: { input: { format: { type: 'audio/pcmu' } } },
  }
  const caller = await aCaller(t, realtime.httpUrl, { session })
  t.is((await caller.log.next('session.created'))['session'].model, 'gpt-realtime')
  const { session: told } = await caller.log.next('session.updated')
  t.is(told.instructions, 'Be brief.')
  t.is(told.audio.input.format.type, 'audio/pcm')
})

test.serial('an offer at the older address opens a call too', async (t) => {
  const realtime = await aRealtimeServer(t)
  const caller = await aCaller(t, realtime.httpUrl, { path: '/v1/realtime?model=gpt-realtime-mini' })
  t.is((await caller.log.next('session.created'))['session'].model, 'gpt-realtime-mini')
})

test.serial('the caller greets first in the handshake, unless it offers only to be greeted', async (t) => {
  const realtime = await aRealtimeServer(t)
  const { offer } = await anOffer(t)
  const setup = async (sdp: string): Promise<string | undefined> =>
    /^a=setup:(\w+)\r?$/m.exec(await (await postOffer(realtime.httpUrl, sdp)).text())?.[1]
  t.is(await setup(offer), 'passive')
  t.is(await setup(offer.replaceAll('a=setup:actpass', 'a=setup:passive')), 'active')
})

test.serial('a caller that hangs up is gone, with its session and its place', async (t) => {
  const detector = aDetector()
  const realtime = await aRealtimeServer(t, { speech: { detector } })
  const caller = await aCaller(t, realtime.httpUrl)
  await caller.log.next('session.created')
  caller.speak(200, false)
  await eventually('the session listens', () => detector.open === 1)
  caller.hangUp()
  await eventually('its place is free', () => realtime.places.taken === 0)
  t.is(detector.open, 0)
})

test.serial('a turn ends when the microphone is gone', async (t) => {
  const realtime = await aRealtimeServer(t)
  const caller = await aCaller(t, realtime.httpUrl)
  await caller.log.next('session.created')
  caller.speak(500, true)
  await caller.log.next('input_audio_buffer.speech_stopped')
  t.pass()
})

test.serial('calls end when their key is revoked, and are told why', async (t) => {
  const keyId = 'key_1'
  const identify = () => Promise.resolve({ principal: principalOf('test', 'asha'), keyId })
  const realtime = await aRealtimeServer(t, { identify })
  const caller = await aCaller(t, realtime.httpUrl)
  await caller.log.next('session.created')
  t.deepEqual(realtime.server.keyIds(), [keyId])
  realtime.server.endSessionsOf(keyId, ending('invalid_api_key', 'The key was revoked.'))
  t.like(await caller.log.next('error'), { error: { code: 'invalid_api_key' } })
  await caller.ended
  await eventually('its place is free', () => realtime.places.taken === 0)
})

test.serial('a server that stops lets an answer finish, and ends the call then', async (t) => {
  const realtime = await aRealtimeServer(t)
  const caller = await aCaller(t, realtime.httpUrl)
  await caller.log.next('session.created')
  caller.send({ type: 'response.create' })
  await caller.log.next('response.created')
  const stopped = realtime.server.drain(60_000)
  t.like(await caller.log.next('response.done'), { response: { status: 'completed' } })
  await stopped
  await caller.ended
  await eventually('its place is free', () => realtime.places.taken === 0)
})

test.serial('no two records of a call are sealed under the same number', async (t) => {
  const realtime = await aRealtimeServer(t)
  const relay = await aLossyRelay(t, Infinity)
  const caller = await aCaller(t, realtime.httpUrl, { rewrite: (answer) => relay.rewrite(answer) })
  await caller.log.next('session.created')
  for (let said = 0; said < 10; said += 1) {
    const item = { type: 'message', role: 'user', content: [{ type: 'input_text', text: `${said}` }] }
    caller.send({ type: 'conversation.item.create', item })
    await eventually('the item is there', () => caller.log.only('conversation.item.done').length > said)
  }
  const sealed = relay.fromServer.flatMap(dtlsRecords).filter(({ number }) => !number.startsWith(openEpoch))
  // one that is sent once more because nobody said that it came is the same, byte for byte
  const apart = new Set(sealed.map(({ bytes }) => bytes))
  t.true(apart.size > 10, String(apart.size))
  t.is(new Set(sealed.map(({ number }) => number)).size, apart.size)
})

test.serial('of twenty packets one is lost on the way, in both directions, and nothing that is said is', async (t) => {
  const [listener, model] = [aListener(), aModel()]
  model.next.push(says('One two three four five six seven eight nine ten. '.repeat(4)))
  const realtime = await aRealtimeServer(t, { speech: { listener, answers: model } })
  const relay = await aLossyRelay(t, 20)
  const caller = await aCaller(t, realtime.httpUrl, { rewrite: (answer) => relay.rewrite(answer) })
  await caller.log.next('session.created')
  caller.speak(400, false)
  caller.speak(2_000, true)
  caller.speak(1_000, false)
  const { item_id } = await caller.log.next('input_audio_buffer.speech_stopped')
  t.is((await came(caller.log, 'response.done'))['response'].status, 'completed')
  await came(caller.log, 'output_audio_buffer.stopped')
  t.is(caller.log.only('input_audio_buffer.speech_started').length, 1)
  t.like(caller.log.only('conversation.item.added')[0], { item: { id: item_id } })
  // two seconds, and the silence around them that belongs to a turn
  t.true(listener.asked[0]!.samples >= 2 * 16_000, String(listener.asked[0]!.samples))
  t.true(relay.counts.lost >= 5, JSON.stringify(relay.counts))
})

/** Of the part of a handshake that anybody can read. */
const openEpoch = '0000'
const recordHeaderBytes = 13

/** Each with its epoch and number (RFC 6347, 4.1); media on the same way is none. */
function dtlsRecords(packet: Buffer): { number: string; bytes: string }[] {
  const records: { number: string; bytes: string }[] = []
  let at = 0
  while (isRecord(packet, at)) {
    const end = at + recordHeaderBytes + packet.readUInt16BE(at + recordHeaderBytes - 2)
    records.push({ number: packet.toString('hex', at + 3, at + 11), bytes: packet.toString('hex', at, end) })
    at = end
  }
  return records
}

/** What it carries says its first byte (RFC 7983). */
function isRecord(packet: Buffer, at: number): boolean {
  const kind = packet[at] ?? 0
  return kind >= 20 && kind <= 63 && packet.length >= at + recordHeaderBytes
}

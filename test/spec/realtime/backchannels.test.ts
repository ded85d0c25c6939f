import { EventEmitter, once } from 'node:events'

import test from 'ava'
import type { ExecutionContext } from 'ava'

import { eventually } from '../../support/eventually.ts'
import { aManualClock } from '../../support/manual-clock.ts'
import { says } from '../../support/realtime-fakes.ts'
import { append, aSession, userSays } from '../../support/realtime-session.ts'
import type { SessionOptions, TestSession } from '../../support/realtime-session.ts'

const started = 'input_audio_buffer.speech_started'
const completed = 'conversation.item.input_audio_transcription.completed'
const semantic = { type: 'semantic_vad' }

/** While an answer is spoken that goes on for long, and is not all there yet. */
async function answering(t: ExecutionContext, { detection = semantic, ...options }: Answering = {}) {
  const clock = aManualClock()
  const session = aSession(t, { clock, ...options })
  session.send({
    type: 'session.update',
    session: { type: 'realtime', audio: { input: { turn_detection: detection, transcription: {} } } },
  })
  session.model.next.push([{ kind: 'text', delta: `${'word '.repeat(30)}and so on. ` }, new Promise(() => undefined)])
  session.send(userSays('tell me'))
  session.send({ type: 'response.create' })
  await session.next('response.output_audio.delta')
  await eventually('all of it is sent', () => session.only('response.output_audio.delta').length > 15)
  return { session, clock }
}

type Answering = SessionOptions & { readonly detection?: object }

/** A short word, and the pause after it. */
function murmur(session: TestSession, ms = 300): void {
  append(session, 200, false)
  append(session, ms, true)
  append(session, 200, false)
}

test('who says that they listen is heard, and the answer goes on', async (t) => {
  const { session } = await answering(t)
  session.listener.backchannels.push('हाँ')
  murmur(session)
  const { item_id, transcript } = await session.next(completed)
  t.is(transcript, 'हाँ')
  t.deepEqual(session.only(started), [])
  t.deepEqual(session.only('response.done'), [])
  t.deepEqual(session.only('input_audio_buffer.committed'), [])
  t.is(session.only('response.created').length, 1)
  session.send({ type: 'conversation.item.retrieve', item_id })
  const { item } = await session.next('conversation.item.retrieved')
  t.like(item, { role: 'user', status: 'completed', content: [{ type: 'input_audio', transcript: 'हाँ' }] })
})

test('another short word interrupts, and is the turn that it began', async (t) => {
  const { session } = await answering(t)
  murmur(session)
  const { item_id, audio_start_ms } = await session.next(started)
  t.is(audio_start_ms, 0, 'with the padding before it')
  t.is((await session.next('response.done'))['response'].status_details.reason, 'turn_detected')
  append(session, 800, false)
  t.is((await session.next('input_audio_buffer.committed'))['item_id'], item_id)
  t.is((await session.next(completed))['item_id'], item_id)
})

test('who speaks for longer interrupts before they have finished, whatever they say', async (t) => {
  const { session } = await answering(t)
  session.listener.backchannels.push('हाँ')
  append(session, 200, false)
  append(session, 500, true)
  t.deepEqual(session.only(started), [])
  append(session, 200, true)
  t.is(session.only(started).length, 1)
  t.is(session.only('response.done').length, 1)
  t.deepEqual(session.listener.backchannels, ['हाँ'], 'nobody was asked')
})

test('who goes on after a moment is not taken by the first word', async (t) => {
  const { session } = await answering(t)
  session.listener.backchannels.push(new Promise(() => undefined), 'हाँ')
  murmur(session, 200)
  append(session, 500, true)
  t.is(session.only(started).length, 1)
})

test('who stops sending in the middle of a word interrupts', async (t) => {
  const { session } = await answering(t, { limits: { backchannelJudgeMs: 1 } })
  append(session, 300, true)
  await session.next(started)
  t.like(await session.next('response.done'), { response: { status_details: { reason: 'turn_detected' } } })
})

test('where nobody knows in time what it was, it interrupts', async (t) => {
  const { session } = await answering(t, { limits: { backchannelJudgeMs: 1 } })
  session.listener.backchannels.push(new Promise(() => undefined))
  murmur(session)
  await session.next(started)
  t.is(session.only('response.done').length, 1)
})

test('a back-channel at the end of an answer may answer it, and is a turn', async (t) => {
  const { session, clock } = await answering(t)
  session.send({ type: 'response.cancel' })
  await session.next('response.done')
  session.model.next.push(says('Shall I do it now, today?'))
  session.send({ type: 'response.create' })
  await session.next('response.done')
  clock.advance(300)
  session.listener.backchannels.push('हाँ')
  murmur(session)
  t.is(session.only(started).length, 1)
  append(session, 800, false)
  await session.next('input_audio_buffer.committed')
})

test('a back-channel whose answer has ended meanwhile is a turn too', async (t) => {
  const { session } = await answering(t)
  const judging = new EventEmitter()
  session.listener.backchannels.push(once(judging, 'judged').then(() => 'हाँ'))
  murmur(session)
  session.send({ type: 'response.cancel' })
  await session.next('response.done')
  judging.emit('judged')
  await session.next(started)
  append(session, 800, false)
  await session.next('input_audio_buffer.committed')
  t.deepEqual(session.only('error'), [])
})

for (const [what, options] of [
  ['with server_vad', { detection: { type: 'server_vad' } }],
  ['where answers are not interrupted', { detection: { ...semantic, interrupt_response: false } }],
] as const)
  test(`${what} everybody who speaks is told of at once`, async (t) => {
    const { session } = await answering(t, options)
    session.listener.backchannels.push('हाँ')
    append(session, 200, false)
    append(session, 100, true)
    t.is(session.only(started).length, 1)
  })

test('where no answer is spoken a short word is a turn', async (t) => {
  const session = aSession(t)
  session.send({ type: 'session.update', session: { turn_detection: semantic } })
  session.listener.backchannels.push('हाँ')
  append(session, 200, false)
  append(session, 100, true)
  t.is(session.only(started).length, 1)
})

for (const [what, end] of [
  ['cleared', (session: TestSession) => session.send({ type: 'input_audio_buffer.clear' })],
  ['over with its session', (session: TestSession) => session.running.end()],
] as const)
  test(`what is held and then ${what} is nothing any more`, async (t) => {
    const { session } = await answering(t)
    const judging = new EventEmitter()
    const judged = once(judging, 'judged').then(() => 'हाँ')
    session.listener.backchannels.push(judged)
    murmur(session)
    const before = session.events.length
    end(session)
    judging.emit('judged')
    await judged
    append(session, 800, false)
    const after = session.events.slice(before).map(({ type }) => type)
    t.deepEqual(
      after.filter((type) => /item\.added|speech_started/.test(type)),
      [],
    )
  })

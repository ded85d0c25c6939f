import test from 'ava'

import type { SessionKeeper } from '../../../realtime/session/ports.ts'
import { says } from '../../support/realtime-fakes.ts'
import { append, aSession, speak } from '../../support/realtime-session.ts'
import { someRecordings } from '../../support/session-recordings.ts'

const keep = (vaak: object) => ({ type: 'session.update', session: { type: 'realtime', vaak } })
const flat = (vaak: object) => ({ type: 'session.update', session: { voice: 'asha', vaak } })
const nothingKept: SessionKeeper = {
  changed: () => undefined,
  leave: async () => undefined,
  forget: async () => undefined,
}

test('nothing is recorded unless somebody asks for it, and nothing is said of it', (t) => {
  const recordings = someRecordings()
  const session = aSession(t, { recordings })
  session.send({ type: 'session.update', session: { type: 'realtime', instructions: 'x' } })
  speak(session)
  t.deepEqual(recordings.opened, [])
  for (const { session: told } of session.events) t.false('vaak' in (told ?? {}))
})

for (const [dialect, update] of [
  ['ga', keep],
  ['beta', flat],
] as const)
  test(`${dialect}: who asks for a recording is told that there is one, and which file it will be`, (t) => {
    const recordings = someRecordings()
    const session = aSession(t, { dialect, recordings })
    session.send(update({ keep: true, callback_url: 'https://example.org/done' }))
    const { file_id, ...rest } = session.events.at(-1)!.session.vaak
    t.is(session.events.at(-1)!.type, 'session.updated')
    t.deepEqual(rest, { keep: true, callback_url: 'https://example.org/done' })
    t.is(recordings.opened[0]!.recording.fileId, file_id)
    t.is(recordings.opened[0]!.callbackUrl, 'https://example.org/done')
    session.send(update({ keep: true }))
    t.is(recordings.opened.length, 1)
  })

test('a recording that is ended is a file, and the next one another', (t) => {
  const recordings = someRecordings()
  const session = aSession(t, { recordings })
  session.send(keep({ keep: true }))
  session.send(keep({ keep: false }))
  t.is(recordings.opened[0]!.isEnded, true)
  t.false('vaak' in session.events.at(-1)!.session)
  session.send(keep({ keep: true }))
  t.not(recordings.opened[1]!.recording.fileId, recordings.opened[0]!.recording.fileId)
})

test('a session of a secret that asks for it is recorded from its first event on', (t) => {
  const recordings = someRecordings()
  const session = aSession(t, { recordings, defaults: { type: 'realtime', vaak: { keep: true } } })
  t.is(session.events[0]!.type, 'session.created')
  t.is(session.events[0]!.session.vaak.file_id, recordings.opened[0]!.recording.fileId)
})

for (const [begun, asked] of [
  [false, true],
  [true, false],
] as const)
  test(`a locked secret that says ${begun} is not told ${asked} by its client`, (t) => {
    const recordings = someRecordings()
    const defaults = { type: 'realtime', vaak: { keep: begun } }
    const session = aSession(t, { recordings, locked: true, defaults })
    session.send(keep({ keep: asked }))
    const { error } = session.events.at(-1)!
    t.is(error.param, 'session.vaak.keep')
    t.is(recordings.opened.length, begun ? 1 : 0)
    session.send(keep({ keep: begun }))
    t.is(session.events.at(-1)!.type, 'session.updated')
    session.send(keep({ callback_url: 'https://example.org/elsewhere' }))
    t.is(session.events.at(-1)!.error.param, 'session.vaak.callback_url')
  })

test('who cannot be recorded is told why, and the session goes on', (t) => {
  const without = aSession(t)
  without.send(keep({ keep: true }))
  t.is(without.events.at(-1)!.error.code, 'recording_unavailable')
  const recordings = someRecordings()
  recordings.away = 'Storage is away.'
  const session = aSession(t, { recordings, defaults: { type: 'realtime', vaak: { keep: true } } })
  t.deepEqual(session.types(), ['session.created', 'error'])
  t.false('vaak' in session.events[0]!.session)
  t.is(session.events[1]!.error.message, 'Storage is away.')
  session.send(keep({ callback_url: 'ftp://example.org' }))
  t.is(session.events.at(-1)!.error.param, 'session.vaak.callback_url')
})

test('each turn is known by its item, with where it lies and what was understood', async (t) => {
  const recordings = someRecordings()
  const session = aSession(t, { recordings })
  session.model.next.push(says('You said hello.'))
  session.send(keep({ keep: true }))
  speak(session)
  await session.next('response.done')
  const [user, assistant] = recordings.opened[0]!.turns(true)
  t.like(user, { role: 'user', live_text: 'hello there' })
  t.true(user!.start > 0 && user!.end > user!.start + 0.4, JSON.stringify(user))
  t.like(assistant, { role: 'assistant', live_text: 'You said hello.', start: 0 })
  t.deepEqual(recordings.opened[0]!.turns(true), [])
  const items = session.events.filter(({ type }) => type === 'conversation.item.added')
  t.deepEqual(
    [user!.item_id, assistant!.item_id],
    items.map(({ item }) => item.id),
  )
})

test('a turn that is committed by hand is one as well', async (t) => {
  const recordings = someRecordings()
  const session = aSession(t, { recordings })
  const input = { turn_detection: null, transcription: {} }
  session.send({ type: 'session.update', session: { type: 'realtime', vaak: { keep: true }, audio: { input } } })
  append(session, 500, true)
  session.send({ type: 'input_audio_buffer.commit' })
  append(session, 700, true)
  session.send({ type: 'input_audio_buffer.commit' })
  for (let turn = 0; turn < 2; turn += 1) await session.next('conversation.item.input_audio_transcription.completed')
  const turns = recordings.opened[0]!.turns(true)
  t.deepEqual(
    turns.map(({ start, end }) => [start, end]),
    [
      [0, 0.5],
      [0.5, 1.2],
    ],
  )
})

test('who interrupts an answer ends it in the recording', async (t) => {
  const recordings = someRecordings()
  const session = aSession(t, { recordings })
  session.model.next.push(says('This is a long answer that nobody wants to hear to its end.'))
  session.send(keep({ keep: true }))
  speak(session)
  await session.next('response.done')
  session.send({ type: 'output_audio_buffer.clear' })
  t.is(recordings.opened[0]!.silenced.length, 2) // when it began to be said that somebody speaks, and now
  const answer = recordings.opened[0]!.turns(true).find(({ role }) => role === 'assistant')!
  t.is(answer.end, answer.start)
})

for (const [how, options, isEnded] of [
  ['without a goodbye may go on elsewhere', { isDone: false, keep: () => nothingKept }, false],
  ['without a goodbye is over where nothing is kept of it', { isDone: false }, true],
  ['with a goodbye is over', { isDone: true, keep: () => nothingKept }, true],
] as const)
  test(`a session that ends ${how}, and so is its recording`, (t) => {
    const recordings = someRecordings()
    const { isDone, ...ports } = options
    const session = aSession(t, { recordings, ...ports })
    session.send(keep({ keep: true }))
    session.running.end(isDone)
    t.is(recordings.opened[0]!.isEnded, isEnded)
  })

test('a client is told what keeps its recording from becoming a file, and it is recorded on', (t) => {
  const recordings = someRecordings()
  const session = aSession(t, { recordings })
  session.send(keep({ keep: true }))
  const recorder = recordings.opened[0]!
  recorder.hindered({ reason: 'quota', message: 'Your quota is full.' })
  const told = { file_id: recorder.recording.fileId, reason: 'quota', message: 'Your quota is full.' }
  t.like(session.events.at(-1), { type: 'vaak.recording.hindered', ...told })
  t.is(recorder.isEnded, undefined)
})

test('a client is told when its recording is as long as it may be', (t) => {
  const recordings = someRecordings()
  const session = aSession(t, { recordings })
  session.send(keep({ keep: true }))
  const recorder = recordings.opened[0]!
  recorder.stopped('limit')
  const [told, updated] = session.events.slice(-2)
  t.like(told, { type: 'vaak.recording.stopped', file_id: recorder.recording.fileId, reason: 'limit' })
  t.is(updated!.type, 'session.updated')
  t.false('vaak' in updated!.session)
  t.is(recorder.isEnded, true)
})

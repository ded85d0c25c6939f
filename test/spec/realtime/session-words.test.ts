import test from 'ava'

import type { TurnVocabulary } from '../../../actors/conversation/ports.ts'
import { eventually } from '../../support/eventually.ts'
import { aSession, speak } from '../../support/realtime-session.ts'

const words: TurnVocabulary = { sha256: 'a', entries: [{ text: 'Vaak', spoken: ['wok'] }] }
const vocabularies = { read: async (id: string) => (id === 'ours' ? words : undefined) }
const naming = (vaak: object) => ({ type: 'session.update', session: { type: 'realtime', vaak } })
const flat = (vaak: object) => ({ type: 'session.update', session: { voice: 'asha', vaak } })

for (const [dialect, update] of [
  ['ga', naming],
  ['beta', flat],
] as const)
  test(`${dialect}: turns are transcribed by the words that the session names, until it names none`, async (t) => {
    const session = aSession(t, { dialect, vocabularies })
    session.send(update({ vocabulary: 'ours' }))
    const { session: told } = await session.next('session.updated')
    t.deepEqual(told.vaak, { vocabulary: 'ours' })
    speak(session)
    await session.next('response.done')
    t.is(session.listener.asked[0]!.options.vocabulary, words)
    session.send(update({ vocabulary: null }))
    t.false('vaak' in (await session.next('session.updated')).session)
    speak(session)
    await session.next('response.done')
    t.is(session.listener.asked[1]!.options.vocabulary, undefined)
  })

test('what comes after an update that names words is done after it, and an answer that is asked for then is told of it', async (t) => {
  let found: (read: TurnVocabulary) => void = () => undefined
  const read = (): Promise<TurnVocabulary> => new Promise((resolve) => (found = resolve))
  const session = aSession(t, { vocabularies: { read } })
  const say = (instructions: string, vaak?: object) =>
    session.send({ type: 'session.update', session: { type: 'realtime', instructions, ...(vaak && { vaak }) } })
  say('the first', { vocabulary: 'ours' })
  say('the second')
  session.send({ type: 'response.create' })
  t.deepEqual(session.only('session.updated'), [])
  found(words)
  await session.next('response.done')
  t.deepEqual(
    session.only('session.updated').map(({ session: told }) => told.instructions),
    ['the first', 'the second'],
  )
  t.is(session.model.asked[0]!.instructions, 'the second')
})

test('who sends without end while words are looked up is told to wait, and what was taken is done', async (t) => {
  let found: (read: TurnVocabulary) => void = () => undefined
  const read = (): Promise<TurnVocabulary> => new Promise((resolve) => (found = resolve))
  const session = aSession(t, { vocabularies: { read } })
  session.send(naming({ vocabulary: 'ours' }))
  for (let sent = 0; sent < 513; sent += 1) session.send({ type: 'input_audio_buffer.clear' })
  t.like((await session.next('error')).error, { type: 'rate_limit_error', code: 'rate_limit_exceeded' })
  found(words)
  await eventually('all are done', () => session.only('input_audio_buffer.cleared').length === 512)
  t.is(session.only('error').length, 1)
})

test('words that nobody has are refused, and nothing of that update holds', async (t) => {
  const session = aSession(t, { vocabularies })
  session.send({ ...naming({ vocabulary: 'theirs', keep: false }), event_id: 'mine' })
  const { error } = await session.next('error')
  t.like(error, { code: 'vocabulary_not_found', param: 'session.vaak.vocabulary', event_id: 'mine' })
  t.deepEqual(session.only('session.updated'), [])
})

test('words that cannot be read now are refused with the reason', async (t) => {
  const read = (): Promise<never> => Promise.reject(new Error('away'))
  const session = aSession(t, { vocabularies: { read } })
  session.send(naming({ vocabulary: 'ours' }))
  t.is((await session.next('error')).error.code, 'vocabulary_unavailable')
})

test('a session of a secret has the words that it names, or is told that there are none', async (t) => {
  const session = aSession(t, { vocabularies, defaults: { type: 'realtime', vaak: { vocabulary: 'ours' } } })
  t.deepEqual(session.events[0]!.session.vaak, { vocabulary: 'ours' })
  speak(session)
  await session.next('response.done')
  t.is(session.listener.asked[0]!.options.vocabulary, words)
  const without = aSession(t, { vocabularies, defaults: { type: 'realtime', vaak: { vocabulary: 'theirs' } } })
  t.is((await without.next('error')).error.code, 'vocabulary_not_found')
  t.false('vaak' in (await without.next('session.updated')).session)
})

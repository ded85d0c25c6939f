import test from 'ava'

import type { TurnVocabulary } from '../../../actors/conversation/ports.ts'
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

import test from 'ava'

import type { KeeperInput, SessionKeeper } from '../../../realtime/session/ports.ts'
import type { KeptSession } from '../../../realtime/session/session.ts'
import { says } from '../../support/realtime-fakes.ts'
import { aSession, speak, userSays } from '../../support/realtime-session.ts'

/** Remembers what it was asked to keep. */
function aNotebook() {
  const noted: string[] = []
  let input: KeeperInput | undefined
  let left = (): void => undefined
  const leaving = new Promise<void>((resolve) => {
    left = resolve
  })
  const keeper: SessionKeeper = {
    changed: () => void noted.push('changed'),
    leave: () => {
      noted.push('left')
      return leaving
    },
    forget: async () => void noted.push('forgotten'),
  }
  const keep = (given: KeeperInput): SessionKeeper => {
    input = given
    return keeper
  }
  return { noted, keep, left: () => left(), read: () => input!.read(), takenOver: () => input!.takenOver() }
}

const textsOf = ({ items }: KeptSession): string[] =>
  items.map((item) =>
    item.type === 'message'
      ? item.parts.map((part) => (part.type === 'text' ? part.text : (part.transcript ?? ''))).join('')
      : item.type,
  )

test('a session is kept when an item or a setting changes, and at no sound', async (t) => {
  const book = aNotebook()
  const session = aSession(t, { keep: book.keep })
  t.deepEqual(book.noted, [])
  session.send({ type: 'session.update', session: { type: 'realtime', instructions: 'Be brief.' } })
  t.deepEqual(book.noted, ['changed'])
  session.send({ type: 'input_audio_buffer.append', audio: Buffer.alloc(4_800).toString('base64') })
  t.deepEqual(book.noted, ['changed'])
  session.send(userSays('hello', 'one'))
  t.deepEqual(book.noted, ['changed', 'changed'])
  t.like(book.read(), { kind: 'realtime', isLocked: false, settings: { instructions: 'Be brief.' } })
  t.deepEqual(textsOf(book.read()), ['hello'])
})

test('what is spoken is kept with its words, and what is still being said when it was said', async (t) => {
  const book = aNotebook()
  const session = aSession(t, { keep: book.keep })
  speak(session)
  let goOn = (): void => undefined
  session.model.next.push([
    new Promise<void>((resolve) => {
      goOn = resolve
    }),
    ...says('Good day to you.'),
  ])
  await session.next('response.created')
  t.is(book.read().items.length, 1)
  goOn()
  await session.next('response.done')
  t.deepEqual(textsOf(book.read()).at(-1), 'Good day to you.')
  t.deepEqual(JSON.parse(JSON.stringify(book.read())), book.read(), 'it can be written down')
})

test('of what was being said when the client was cut off, what it heard is kept', async (t) => {
  const book = aNotebook()
  let nowMs = 0
  const session = aSession(t, { keep: book.keep, clock: { nowMs: () => Date.now(), elapsedMs: () => nowMs } })
  session.model.next.push([...says('One two three four. ').slice(0, 1), new Promise(() => undefined)])
  session.send(userSays('count'))
  session.send({ type: 'response.create' })
  await session.next('response.output_audio.delta')
  nowMs = 250
  session.running.end()
  t.deepEqual(textsOf(book.read()), ['count', 'One two'])
  t.is(book.noted.at(-1), 'left')
})

test('a client that says it is over is forgotten, and so is a session that was too long', async (t) => {
  const book = aNotebook()
  aSession(t, { keep: book.keep }).running.end(true)
  t.deepEqual(book.noted, ['forgotten'])
  const long = aNotebook()
  const session = aSession(t, { keep: long.keep, limits: { sessionSeconds: 0.05 } })
  await session.next('error')
  t.deepEqual(long.noted, ['forgotten'])
})

test('a drained session is closed when everything is kept', async (t) => {
  const book = aNotebook()
  const session = aSession(t, { keep: book.keep })
  session.send(userSays('hello'))
  session.running.drain()
  t.is(book.noted.at(-1), 'left')
  t.deepEqual(session.closed, [])
  book.left()
  await new Promise(setImmediate)
  t.deepEqual(session.closed, [{ code: 1012, reason: 'Service restart' }])
})

test('a session that goes on elsewhere is told so and ends here', async (t) => {
  const book = aNotebook()
  const session = aSession(t, { keep: book.keep })
  session.send(userSays('hello'))
  book.takenOver()
  book.left()
  t.is(session.events.at(-1)!['error'].code, 'session_resumed_elsewhere')
  await new Promise(setImmediate)
  t.is(session.closed[0]?.code, 1001)
})

/** What one session leaves for the next. */
async function aLeftSession(t: Parameters<typeof aSession>[0]): Promise<KeptSession> {
  const book = aNotebook()
  const session = aSession(t, { keep: book.keep })
  session.send({
    type: 'session.update',
    session: { type: 'realtime', output_modalities: ['text'], instructions: 'Be brief.' },
  })
  session.send(userSays('My name is Meera.', 'one'))
  session.send({ type: 'response.create' })
  await session.next('response.done')
  session.running.end()
  return JSON.parse(JSON.stringify(book.read())) as KeptSession // as: it is what was written
}

test('a session that goes on has its id, settings and items, tells them, and answers with them', async (t) => {
  const kept = await aLeftSession(t)
  const session = aSession(t, { resumed: kept })
  t.deepEqual(session.types(), [
    'session.created',
    'conversation.item.added',
    'conversation.item.done',
    'conversation.item.added',
    'conversation.item.done',
  ])
  t.like(session.events[0], { session: { id: kept.id, instructions: 'Be brief.' } })
  t.like(session.events[1], { previous_item_id: null, item: { id: 'one' } })
  t.like(session.events[3], { previous_item_id: 'one', item: { role: 'assistant' } })
  session.send(userSays('Who am I?', 'next'))
  session.send({ type: 'response.create' })
  await session.next('response.done')
  t.like(session.model.asked[0], {
    instructions: 'Be brief.',
    turns: [
      { kind: 'said', by: 'user', text: 'My name is Meera.' },
      { kind: 'said', by: 'assistant', text: 'I hear you.' },
      { kind: 'said', by: 'user', text: 'Who am I?' },
    ],
  })
})

test('in the older form the same items come under the older names', async (t) => {
  const kept = await aLeftSession(t)
  const session = aSession(t, { resumed: kept, dialect: 'beta' })
  t.deepEqual(session.types(), [
    'session.created',
    'conversation.created',
    'conversation.item.created',
    'conversation.item.created',
  ])
  t.like(session.events[1], { conversation: { id: kept.conversationId } })
})

test('a locked token has the last word about what it laid down', async (t) => {
  const kept = await aLeftSession(t)
  const session = aSession(t, { resumed: kept, locked: true, defaults: { type: 'realtime', instructions: 'Mine.' } })
  t.like(session.events[0], { session: { instructions: 'Mine.' } })
})

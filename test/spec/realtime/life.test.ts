import test from 'ava'

import { says } from '../../support/realtime-fakes.ts'
import { aSession, append, speak } from '../../support/realtime-session.ts'

test('a session that is too old is told so and closed with 1001', async (t) => {
  const session = aSession(t, { limits: { sessionSeconds: 0.05 } })
  const { error } = await session.next('error')
  const sentence = 'Your session hit the maximum duration of 0 minutes.'
  t.like(error, { type: 'invalid_request_error', code: 'session_expired', message: sentence, event_id: null })
  t.deepEqual(session.closed, [{ code: 1001, reason: sentence }])
  session.send({ type: 'input_audio_buffer.clear' })
  t.is(session.events.at(-1)!.type, 'error')
})

test('a drained session without work is closed at once with 1012', (t) => {
  const session = aSession(t)
  session.running.drain()
  t.deepEqual(session.closed, [{ code: 1012, reason: 'Service restart' }])
})

test('a drained session finishes its answer, begins no other, and is closed', async (t) => {
  const session = aSession(t)
  let goOn = (): void => undefined
  const hold = new Promise<void>((resolve) => {
    goOn = resolve
  })
  session.model.next.push([hold, ...says('Goodbye.')])
  session.send({ type: 'response.create' })
  session.running.drain()
  t.deepEqual(session.closed, [])
  session.send({ type: 'response.create', response: { conversation: 'none' }, event_id: 'late' })
  t.like(session.events.at(-1)!['error'], { code: 'server_restarting', event_id: 'late' })
  goOn()
  const { response } = await session.next('response.done')
  t.is(response.status, 'completed')
  await session.next('rate_limits.updated')
  t.deepEqual(session.closed, [{ code: 1012, reason: 'Service restart' }])
})

test('a drained session finishes what it is hearing', async (t) => {
  const session = aSession(t, { kind: 'transcription' })
  speak(session)
  session.running.drain()
  t.deepEqual(session.closed, [])
  await session.next('conversation.item.input_audio_transcription.completed')
  await new Promise(setImmediate)
  t.is(session.closed.length, 1)
})

test('when the socket is gone everything stops and nothing is said any more', async (t) => {
  const session = aSession(t)
  let spoken: AbortSignal | undefined
  const answer = session.model.answer.bind(session.model)
  session.model.answer = (request, signal) => {
    spoken = signal
    return answer(request, signal)
  }
  session.model.next.push([new Promise(() => undefined)])
  append(session, 100, false)
  session.send({ type: 'response.create' })
  session.listener.next.push(new Promise<string>(() => undefined))
  await new Promise(setImmediate)
  t.is(session.detector.open, 1)
  const before = session.events.length
  session.running.end()
  t.true(spoken?.aborted)
  t.is(session.detector.open, 0)
  session.send({ type: 'response.create' })
  session.running.receiveBinary()
  session.running.drain()
  await new Promise(setImmediate)
  t.is(session.events.length, before)
  t.deepEqual(session.closed, [])
  t.deepEqual(session.log.lines, [])
})

import test from 'ava'

import { calls, says } from '../../support/realtime-fakes.ts'
import { aSession, append, speak, userSays } from '../../support/realtime-session.ts'

const transcribed = { type: 'session.update', session: { type: 'realtime', audio: { input: { transcription: {} } } } }

test('order A: an audio turn in the newer dialect', async (t) => {
  const session = aSession(t)
  session.send(transcribed)
  speak(session)
  await session.next('rate_limits.updated')
  t.deepEqual(withoutTranscription(session.types()), [
    'session.created',
    'session.updated',
    'input_audio_buffer.speech_started',
    'input_audio_buffer.speech_stopped',
    'input_audio_buffer.committed',
    'conversation.item.added',
    'conversation.item.done',
    'response.created',
    'response.output_item.added',
    'conversation.item.added',
    'response.content_part.added',
    'response.output_audio_transcript.delta',
    'response.output_audio.delta',
    'response.output_audio.done',
    'response.output_audio_transcript.done',
    'response.content_part.done',
    'conversation.item.done',
    'response.output_item.done',
    'response.done',
    'rate_limits.updated',
  ])
  t.deepEqual(
    session.types().filter((type) => type.includes('transcription')),
    ['conversation.item.input_audio_transcription.delta', 'conversation.item.input_audio_transcription.completed'],
  )
})

test('order A: an audio turn in the older dialect', async (t) => {
  const session = aSession(t, { dialect: 'beta' })
  session.send({ type: 'session.update', session: { input_audio_transcription: { model: 'whisper-1' } } })
  speak(session)
  await session.next('rate_limits.updated')
  t.deepEqual(withoutTranscription(session.types()), [
    'session.created',
    'conversation.created',
    'session.updated',
    'input_audio_buffer.speech_started',
    'input_audio_buffer.speech_stopped',
    'input_audio_buffer.committed',
    'conversation.item.created',
    'response.created',
    'response.output_item.added',
    'conversation.item.created',
    'response.content_part.added',
    'response.audio_transcript.delta',
    'response.audio.delta',
    'response.audio.done',
    'response.audio_transcript.done',
    'response.content_part.done',
    'response.output_item.done',
    'response.done',
    'rate_limits.updated',
  ])
})

test('order A: who speaks while an answer is spoken ends it before anything else', async (t) => {
  const session = aSession(t, { limits: { aheadMs: 200, deltaMs: 100 } })
  session.model.next.push(says('One two three four five six seven eight nine ten. ', 'And so on and on and on.'))
  session.send(userSays('count'))
  session.send({ type: 'response.create' })
  await session.next('response.output_audio.delta')
  const before = session.events.length
  append(session, 300, true)
  const types = session.events.slice(before).map(({ type }) => type)
  t.deepEqual(types, [
    'input_audio_buffer.speech_started',
    'response.output_audio.done',
    'response.output_audio_transcript.done',
    'response.content_part.done',
    'response.output_item.done',
    'response.done',
    'rate_limits.updated',
  ])
  const done = session.events.find(({ type }) => type === 'response.done')!
  t.deepEqual(done['response'].status_details, { type: 'cancelled', reason: 'turn_detected' })
  t.is(done['response'].output[0].status, 'incomplete')
})

for (const [dialect, added, done] of [
  ['ga', 'conversation.item.added', ['conversation.item.done']],
  ['beta', 'conversation.item.created', []],
] as const)
  test(`order B: a tool call in ${dialect}, its end and the response's in one go`, async (t) => {
    const session = aSession(t, { dialect })
    session.model.next.push(calls('weather', '{"city":', '"Pune"}'))
    session.send(userSays('weather in Pune?'))
    const before = session.events.length
    session.send({ type: 'response.create' })
    await session.next('rate_limits.updated')
    t.deepEqual(
      session.events.slice(before).map(({ type }) => type),
      [
        'response.created',
        'response.output_item.added',
        added,
        'response.function_call_arguments.delta',
        'response.function_call_arguments.delta',
        'response.function_call_arguments.done',
        ...done,
        'response.output_item.done',
        'response.done',
        'rate_limits.updated',
      ],
    )
    const [begun] = session.only('response.output_item.added')
    t.like(begun?.['item'], { type: 'function_call', status: 'in_progress', name: 'weather', arguments: '' })
    const [ended] = session.only('response.output_item.done')
    t.like(ended?.['item'], { status: 'completed', call_id: 'call_weather', arguments: '{"city":"Pune"}' })
  })

test('order C: after a truncation the model reads exactly the words that were heard', async (t) => {
  const session = aSession(t)
  session.model.next.push(says('One two three. ', 'Four five six.'))
  session.send(userSays('count'))
  session.send({ type: 'response.create' })
  const { item } = await session.next('response.output_item.done')
  await session.next('response.done')
  session.send({ type: 'conversation.item.truncate', item_id: item.id, content_index: 0, audio_end_ms: 450 })
  t.like(await session.next('conversation.item.truncated'), { item_id: item.id, content_index: 0, audio_end_ms: 450 })
  session.send({ type: 'conversation.item.retrieve', item_id: item.id })
  const retrieved = await session.next('conversation.item.retrieved')
  t.is(retrieved['item'].content[0].transcript, '')
  t.is(Buffer.from(retrieved['item'].content[0].audio, 'base64').length, 0.45 * 48_000)

  session.send({ type: 'response.create' })
  await session.next('response.done')
  const said = session.model.asked.at(-1)!.turns.at(-1)!
  t.deepEqual(said, { kind: 'said', by: 'assistant', text: 'One two three. Four' })
})

const withoutTranscription = (types: readonly string[]): string[] =>
  types.filter((type) => !type.includes('transcription'))

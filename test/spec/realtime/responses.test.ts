import test from 'ava'

import { retryable } from '../../../actors/failure.ts'
import { calls, says } from '../../support/realtime-fakes.ts'
import { aSession, audioOf, speak, userSays } from '../../support/realtime-session.ts'
import type { EventWire } from '../../support/event-log.ts'

const usage = {
  total_tokens: 17,
  input_tokens: 12,
  output_tokens: 5,
  input_token_details: {
    text_tokens: 12,
    audio_tokens: 0,
    image_tokens: 0,
    cached_tokens: 3,
    cached_tokens_details: { text_tokens: 3, audio_tokens: 0, image_tokens: 0 },
  },
  output_token_details: { text_tokens: 5, audio_tokens: 0 },
}
const never = new Promise<void>(() => undefined)

test('a text turn in the newer dialect, field by field', async (t) => {
  const session = aSession(t)
  session.model.next.push(says('Hello', ' you.'))
  session.send({ type: 'response.create', response: { output_modalities: ['text'], metadata: { topic: 'x' } } })
  await session.next('rate_limits.updated')
  const [created, added, itemAdded, partAdded, delta, more, textDone, partDone, itemDone, outputDone, done, rates] =
    session.events.slice(1).map(withoutId)
  const { id } = created!['response']
  const item_id = added!['item'].id
  const place = { response_id: id, item_id, output_index: 0, content_index: 0 }
  const begun = {
    id: item_id,
    object: 'realtime.item',
    type: 'message',
    status: 'in_progress',
    role: 'assistant',
    content: [],
  }
  const ended = { ...begun, status: 'completed', content: [{ type: 'output_text', text: 'Hello you.' }] }
  const response = {
    object: 'realtime.response',
    id,
    status: 'in_progress',
    status_details: null,
    output: [],
    conversation_id: created!['response'].conversation_id,
    output_modalities: ['text'],
    max_output_tokens: 'inf',
    audio: { output: { format: { type: 'audio/pcm', rate: 24_000 }, voice: 'asha' } },
    usage: null,
    metadata: { topic: 'x' },
  }
  t.deepEqual(created, { type: 'response.created', response })
  t.deepEqual(added, { type: 'response.output_item.added', response_id: id, output_index: 0, item: begun })
  t.deepEqual(itemAdded, { type: 'conversation.item.added', previous_item_id: null, item: begun })
  t.deepEqual(partAdded, { type: 'response.content_part.added', ...place, part: { type: 'text', text: '' } })
  t.deepEqual(delta, { type: 'response.output_text.delta', ...place, delta: 'Hello' })
  t.deepEqual(more, { type: 'response.output_text.delta', ...place, delta: ' you.' })
  t.deepEqual(textDone, { type: 'response.output_text.done', ...place, text: 'Hello you.' })
  t.deepEqual(partDone, { type: 'response.content_part.done', ...place, part: { type: 'text', text: 'Hello you.' } })
  t.deepEqual(itemDone, { type: 'conversation.item.done', previous_item_id: null, item: ended })
  t.deepEqual(outputDone, { type: 'response.output_item.done', response_id: id, output_index: 0, item: ended })
  t.deepEqual(done, { type: 'response.done', response: { ...response, status: 'completed', output: [ended], usage } })
  t.is(rates!.type, 'rate_limits.updated')
  t.deepEqual(
    rates!['rate_limits'].map(({ name, limit, remaining }: Record<string, unknown>) => [name, limit, remaining]),
    [
      ['requests', 120, 119],
      ['tokens', 1_000_000, 999_983],
    ],
  )
})

test('a text turn in the older dialect, field by field', async (t) => {
  const session = aSession(t, { dialect: 'beta' })
  session.model.next.push(says('Hello.'))
  session.send({ type: 'response.create', response: { modalities: ['text'], instructions: 'Be brief.' } })
  await session.next('rate_limits.updated')
  const [created, added, itemCreated, partAdded, delta, textDone, partDone, outputDone, done] = session.events
    .slice(2)
    .map(withoutId)
  const { id } = created!['response']
  const item_id = added!['item'].id
  const place = { response_id: id, item_id, output_index: 0, content_index: 0 }
  const begun = {
    id: item_id,
    object: 'realtime.item',
    type: 'message',
    status: 'in_progress',
    role: 'assistant',
    content: [],
  }
  const ended = { ...begun, status: 'completed', content: [{ type: 'text', text: 'Hello.' }] }
  const response = {
    object: 'realtime.response',
    id,
    status: 'in_progress',
    status_details: null,
    output: [],
    conversation_id: created!['response'].conversation_id,
    modalities: ['text'],
    voice: 'asha',
    output_audio_format: 'pcm16',
    temperature: 0.8,
    max_output_tokens: 'inf',
    usage: null,
    metadata: null,
  }
  t.deepEqual(created, { type: 'response.created', response })
  t.deepEqual(added, { type: 'response.output_item.added', response_id: id, output_index: 0, item: begun })
  t.deepEqual(itemCreated, { type: 'conversation.item.created', previous_item_id: null, item: begun })
  t.deepEqual(partAdded, { type: 'response.content_part.added', ...place, part: { type: 'text', text: '' } })
  t.deepEqual(delta, { type: 'response.text.delta', ...place, delta: 'Hello.' })
  t.deepEqual(textDone, { type: 'response.text.done', ...place, text: 'Hello.' })
  t.deepEqual(partDone, { type: 'response.content_part.done', ...place, part: { type: 'text', text: 'Hello.' } })
  t.deepEqual(outputDone, { type: 'response.output_item.done', response_id: id, output_index: 0, item: ended })
  t.deepEqual(done, { type: 'response.done', response: { ...response, status: 'completed', output: [ended], usage } })
  t.is(session.model.asked[0]!.instructions, 'Be brief.')
})

for (const [dialect, names] of [
  ['ga', { audio: 'response.output_audio', transcript: 'response.output_audio_transcript', part: 'output_audio' }],
  ['beta', { audio: 'response.audio', transcript: 'response.audio_transcript', part: 'audio' }],
] as const)
  test(`a spoken answer in ${dialect}: transcript and sound, clause by clause`, async (t) => {
    const session = aSession(t, { dialect, limits: { deltaMs: 100 } })
    session.model.next.push(says('One two. ', 'Three.'))
    session.send({ type: 'response.create' })
    const { item } = await session.next('response.output_item.done')
    const types = session.types().filter((type) => type.startsWith(names.audio))
    t.deepEqual(types, [
      `${names.transcript}.delta`,
      `${names.audio}.delta`,
      `${names.transcript}.delta`,
      `${names.audio}.delta`,
      `${names.audio}.done`,
      `${names.transcript}.done`,
    ])
    const [part] = session.only('response.content_part.added')
    t.deepEqual(part?.['part'], { type: 'audio', transcript: '' })
    t.deepEqual(session.only('response.content_part.done')[0]?.['part'], {
      type: 'audio',
      transcript: 'One two. Three.',
    })
    t.is(session.only(`${names.transcript}.done`)[0]?.['transcript'], 'One two. Three.')
    t.deepEqual(item.content, [{ type: names.part, transcript: 'One two. Three.' }])
    const deltas = session.only(`${names.audio}.delta`)
    t.is(deltas.length, 3)
    t.is(Buffer.from(deltas.map(({ delta }) => delta).join(''), 'base64').length, 3 * 4_800)
    t.deepEqual(Object.keys(deltas[0]!), [
      'type',
      'event_id',
      'response_id',
      'item_id',
      'output_index',
      'content_index',
      'delta',
    ])
  })

test('an answer and a call in one response are two items, in their order', async (t) => {
  const session = aSession(t)
  session.model.next.push([{ kind: 'text', delta: 'Let me see.' }, ...calls('weather', '{}')])
  session.send({ type: 'response.create' })
  const { response } = await session.next('response.done')
  t.deepEqual(
    response.output.map(({ type, status }: Record<string, unknown>) => [type, status]),
    [
      ['message', 'completed'],
      ['function_call', 'completed'],
    ],
  )
  t.deepEqual(
    session.only('response.output_item.added').map(({ output_index }) => output_index),
    [0, 1],
  )
  t.is(session.only('conversation.item.added')[1]!['previous_item_id'], response.output[0].id)
})

test('a call without arguments has an empty object, also as a delta', async (t) => {
  const session = aSession(t)
  session.model.next.push(calls('now'))
  session.send({ type: 'response.create' })
  await session.next('response.done')
  t.like(session.only('response.function_call_arguments.delta')[0], { call_id: 'call_now', delta: '{}' })
  t.like(session.only('response.function_call_arguments.done')[0], {
    call_id: 'call_now',
    name: 'now',
    arguments: '{}',
  })
  t.is(session.only('response.output_item.done')[0]!['item'].arguments, '{}')
})

test('the older dialect has no name in the end of the arguments', async (t) => {
  const session = aSession(t, { dialect: 'beta' })
  session.model.next.push(calls('now', '{}'))
  session.send({ type: 'response.create' })
  await session.next('response.done')
  t.deepEqual(Object.keys(session.only('response.function_call_arguments.done')[0]!), [
    'type',
    'event_id',
    'response_id',
    'item_id',
    'output_index',
    'call_id',
    'arguments',
  ])
})

test("a call's result is read in the next response", async (t) => {
  const session = aSession(t)
  session.model.next.push(calls('weather', '{"city":"Pune"}'))
  session.send(userSays('weather?'))
  session.send({ type: 'response.create' })
  await session.next('response.done')
  const output = { type: 'function_call_output', call_id: 'call_weather', output: '31' }
  session.send({ type: 'conversation.item.create', item: output })
  session.send({ type: 'response.create' })
  await session.next('response.done')
  t.deepEqual(session.model.asked[1]!.turns.slice(1), [
    { kind: 'called', callId: 'call_weather', name: 'weather', arguments: '{"city":"Pune"}' },
    { kind: 'returned', callId: 'call_weather', output: '31' },
  ])
})

test('what a response sets for itself holds for it alone', async (t) => {
  const session = aSession(t)
  const tools = [{ type: 'function', name: 'pick', parameters: { type: 'object', properties: {} } }]
  session.send({
    type: 'response.create',
    response: {
      instructions: 'Only now.',
      tools,
      tool_choice: 'required',
      max_output_tokens: 7,
      audio: { output: { voice: 'verse', format: { type: 'audio/pcmu' } } },
    },
  })
  const { response } = await session.next('response.done')
  t.deepEqual(response.audio.output, { format: { type: 'audio/pcmu' }, voice: 'verse' })
  t.like(session.model.asked[0], { instructions: 'Only now.', toolChoice: 'required', tokensMax: 7 })
  t.is(session.model.asked[0]!.tools[0]!.name, 'pick')
  t.is(session.voices.spoken[0]!.voice, 'ravi')
  session.send({ type: 'response.create' })
  await session.next('response.done')
  t.like(session.model.asked[1], { toolChoice: 'none' })
  t.not(session.model.asked[1]!.instructions, 'Only now.')
  t.is(session.voices.spoken[1]!.voice, 'asha')
})

test('the voice changes between turns, after sound was sent too', async (t) => {
  const session = aSession(t)
  session.send({ type: 'response.create' })
  await session.next('response.done')
  session.send({
    type: 'session.update',
    session: { type: 'realtime', audio: { output: { voice: 'marin', speed: 1.5 } } },
  })
  t.is(session.events.at(-1)!.type, 'session.updated')
  session.send({ type: 'response.create' })
  await session.next('response.done')
  t.deepEqual(
    session.voices.spoken.map(({ voice, speed }) => [voice, speed]),
    [
      ['asha', 1],
      ['emma', 1.5],
    ],
  )
})

test('a response outside the conversation runs beside one in it and leaves no trace there', async (t) => {
  const session = aSession(t)
  session.model.next.push([never], says('Aside.'))
  session.send(userSays('hello'))
  session.send({ type: 'response.create' })
  await session.next('response.created')
  session.send({
    type: 'response.create',
    response: {
      conversation: 'none',
      metadata: { topic: 'aside' },
      output_modalities: ['text'],
      input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'classify' }] }],
    },
  })
  const { response } = await session.next('response.done')
  t.like(response, { status: 'completed', conversation_id: null, metadata: { topic: 'aside' } })
  t.is(response.output[0].content[0].text, 'Aside.')
  t.deepEqual(session.model.asked[1]!.turns, [{ kind: 'said', by: 'user', text: 'classify' }])
  t.is(session.only('conversation.item.added').length, 1)
})

test('a response may answer chosen items, or nothing at all', async (t) => {
  const session = aSession(t)
  session.send(userSays('first', 'a'))
  session.send(userSays('second', 'b'))
  session.send({ type: 'response.create', response: { input: [{ type: 'item_reference', id: 'b' }] } })
  await session.next('response.done')
  session.send({ type: 'response.create', response: { input: [] } })
  await session.next('response.done')
  t.deepEqual(
    session.model.asked.map(({ turns }) => turns),
    [[{ kind: 'said', by: 'user', text: 'second' }], []],
  )
})

test('only so many responses run at once', async (t) => {
  const session = aSession(t, { limits: { responses: 1 } })
  session.model.next.push([never])
  session.send({ type: 'response.create' })
  session.send({ type: 'response.create', response: { conversation: 'none' } })
  t.like(session.events.at(-1)!['error'], { code: 'rate_limit_exceeded' })
})

for (const dialect of ['ga', 'beta'] as const)
  test(`a cancelled response in ${dialect} ends at once, with what was said`, async (t) => {
    const session = aSession(t, { dialect })
    session.model.next.push([{ kind: 'text', delta: 'I was' }, never])
    session.send({ type: 'response.create', response: { modalities: ['text'] } })
    const { response_id } = await session.next('response.content_part.added')
    const before = session.events.length
    session.send({ type: 'response.cancel', response_id })
    t.deepEqual(
      session.events.slice(before).map(({ type }) => type),
      [
        dialect === 'ga' ? 'response.output_text.done' : 'response.text.done',
        'response.content_part.done',
        'response.output_item.done',
        'response.done',
        'rate_limits.updated',
      ],
    )
    const { response } = await session.next('response.done')
    t.like(response, { status: 'cancelled', status_details: { type: 'cancelled', reason: 'client_cancelled' } })
    t.like(response.output[0], { status: 'incomplete' })
    t.is(response.output[0].content[0].text, 'I was')
    session.send({ type: 'response.create' })
    t.is((await session.next('response.done'))['response'].status, 'completed')
  })

test('a response is cancelled while what was said is still being heard', async (t) => {
  const session = aSession(t)
  session.listener.next.push(new Promise<string>(() => undefined))
  session.send({ type: 'session.update', session: { turn_detection: null } })
  session.send({ type: 'input_audio_buffer.append', audio: audioOf(200, true) })
  session.send({ type: 'input_audio_buffer.commit' })
  session.send({ type: 'response.create' })
  session.send({ type: 'response.cancel' })
  const { response } = await session.next('response.done')
  t.like(response, { status: 'cancelled' })
  t.deepEqual(response.output, [])
})

for (const [reason, cause] of [
  ['length', 'max_output_tokens'],
  ['filtered', 'content_filter'],
] as const)
  test(`an answer that ended by ${reason} is incomplete`, async (t) => {
    const session = aSession(t)
    session.model.next.push([
      { kind: 'text', delta: 'I was' },
      { kind: 'end', reason },
    ])
    session.send({ type: 'response.create' })
    const { response } = await session.next('response.done')
    t.like(response, { status: 'incomplete', status_details: { type: 'incomplete', reason: cause } })
    t.is(response.output[0].status, 'incomplete')
  })

test('an answer that does not end is ended', async (t) => {
  const session = aSession(t, { limits: { responseCharacters: 10 } })
  session.model.next.push(Array.from({ length: 100 }, () => ({ kind: 'text' as const, delta: 'x' })))
  session.send({ type: 'response.create', response: { output_modalities: ['text'] } })
  const { response } = await session.next('response.done')
  t.like(response, { status: 'incomplete', status_details: { reason: 'max_output_tokens' } })
  t.is(response.output[0].content[0].text.length, 10)
})

test('a model that is away fails the response, not the session', async (t) => {
  const session = aSession(t)
  session.model.next.push([retryable('remote_unavailable', 'The language model did not answer. Try again.')])
  session.send({ type: 'response.create' })
  const { response } = await session.next('response.done')
  t.deepEqual(response.status_details, {
    type: 'failed',
    error: {
      type: 'server_error',
      code: 'remote_unavailable',
      message: 'The language model did not answer. Try again.',
    },
  })
  session.send({ type: 'response.create' })
  t.is((await session.next('response.done'))['response'].status, 'completed')
  t.deepEqual(session.log.lines, [])
})

test('a model that is away is excused in a spoken sentence, in the language of the caller', async (t) => {
  for (const [words, excuse] of [
    ['कल क्या है', /^माफ़ कीजिए/],
    ['what is tomorrow', /^Sorry/],
  ] as const) {
    const session = aSession(t)
    session.listener.next.push(words)
    session.model.next.push([retryable('remote_unavailable', 'The language model did not answer. Try again.')])
    speak(session)
    const { response } = await session.next('response.done')
    t.like(response, { status: 'failed', status_details: { error: { code: 'remote_unavailable' } } })
    t.regex(response.output[0].content[0].transcript, excuse)
    t.true(session.types().includes('response.output_audio.delta'))
  }
})

test('a model that breaks off is not excused: what it said stands', async (t) => {
  const session = aSession(t)
  const away = retryable('remote_unavailable', 'The conversation model broke off its answer.')
  session.model.next.push([{ kind: 'text', delta: 'Hello. ' }, away])
  session.send({ type: 'response.create' })
  const { response } = await session.next('response.done')
  t.is(response.status, 'failed')
  t.notRegex(JSON.stringify(response.output), /Sorry/)
})

test('a temperature is asked for only when the client set one, and shown as the usual one otherwise', async (t) => {
  const session = aSession(t)
  session.send({ type: 'response.create' })
  await session.next('response.done')
  t.false('temperature' in session.model.asked[0]!)
})

test('a bug in the model fails the response with a constant sentence and is logged', async (t) => {
  const session = aSession(t)
  session.model.next.push([new TypeError('secret of the inside')])
  session.send({ type: 'response.create' })
  const { response } = await session.next('response.done')
  t.is(response.status_details.error.code, 'internal_error')
  t.notRegex(JSON.stringify(session.events), /secret/)
  t.is(session.log.lines[0]!.message, 'response failed')
})

test('a voice that fails ends the response, whatever the model still has to say', async (t) => {
  const session = aSession(t)
  const next = () => Promise.reject(retryable('overloaded', 'No voice is free. Try again.'))
  session.voices.speak = () => ({ [Symbol.asyncIterator]: () => ({ next }) })
  session.model.next.push([{ kind: 'text', delta: 'Hello.' }, never])
  session.send({ type: 'response.create' })
  const { response } = await session.next('response.done')
  t.like(response.status_details, { type: 'failed', error: { code: 'overloaded' } })
})

test('sound is sent a little ahead of its playing and no more', async (t) => {
  const session = aSession(t, { limits: { aheadMs: 300, deltaMs: 100 } })
  session.model.next.push(says('One two three four five six seven eight nine ten.'))
  const from = performance.now()
  session.send({ type: 'response.create' })
  await session.next('response.output_audio.delta')
  t.true(session.only('response.output_audio.delta').length <= 3)
  await session.next('response.done')
  t.is(session.only('response.output_audio.delta').length, 10)
  t.true(performance.now() - from >= 690, 'ten words of 100 ms, three of them ahead')
})

test('what is said before a call is sent without delay', async (t) => {
  const session = aSession(t, { limits: { aheadMs: 300, deltaMs: 100 } })
  const words = Array.from({ length: 600 }, () => 'word').join(' ')
  session.model.next.push([{ kind: 'text', delta: `${words}. ` }, ...calls('weather', '{}')])
  session.send({ type: 'response.create' })
  await session.next('response.done') // a minute of audio: at its pace this would outlast the test
  t.is(session.only('response.output_audio.delta').length, 600)
})

test('the stages of a response are told to a client that asks for them', async (t) => {
  const session = aSession(t)
  session.send({ type: 'session.update', session: { type: 'realtime', include: ['vaak.metrics'] } })
  session.send({ type: 'response.create' })
  const metrics = await session.next('vaak.metrics')
  t.deepEqual(Object.keys(metrics).slice(2), [
    'response_id',
    'vad_ms',
    'asr_ms',
    'llm_ttft_ms',
    'tts_ttfb_ms',
    'voice_to_voice_ms',
  ])
  t.is(metrics['vad_ms'], null)
  t.is(typeof metrics['llm_ttft_ms'], 'number')
})

test('clearing what is played is answered', async (t) => {
  const session = aSession(t)
  session.send({ type: 'response.create' })
  const { response } = await session.next('response.done')
  session.send({ type: 'output_audio_buffer.clear' })
  t.like(await session.next('output_audio_buffer.cleared'), { response_id: response.id })
})

function withoutId(event: EventWire): EventWire {
  const { event_id, ...rest } = event
  return event_id === undefined ? event : (rest as EventWire)
}

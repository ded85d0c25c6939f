import test from 'ava'

import { says } from '../../support/realtime-fakes.ts'
import { aSession, audioOf, userSays } from '../../support/realtime-session.ts'
import type { SessionOptions } from '../../support/realtime-session.ts'

const deep = (levels: number): object => (levels === 0 ? {} : { x: deep(levels - 1) })

interface Case {
  readonly what: string
  readonly frame: object | string
  readonly code: string
  readonly param?: string
  readonly message?: RegExp
  readonly options?: SessionOptions
}

const cases: readonly Case[] = [
  {
    what: 'an unknown event',
    frame: { type: 'x', event_id: 'mine' },
    code: 'invalid_value',
    param: 'type',
    message: /^Invalid value: 'x'\. Supported values are: 'session\.update', /,
  },
  { what: 'an event of a prototype', frame: { type: 'constructor', event_id: 'mine' }, code: 'invalid_value' },
  {
    what: 'an event without a type',
    frame: { event_id: 'mine' },
    code: 'invalid_event',
    message: /^The 'type' field is missing\.$/,
  },
  {
    what: 'an event whose type is no text',
    frame: { type: 7, event_id: 'mine' },
    code: 'invalid_value',
    param: 'type',
  },
  {
    what: 'an append without sound',
    frame: { type: 'input_audio_buffer.append', event_id: 'mine' },
    code: 'missing_required_parameter',
    param: 'audio',
  },
  {
    what: 'an append of something else',
    frame: { type: 'input_audio_buffer.append', event_id: 'mine', audio: '*** not base64 ***' },
    code: 'invalid_value',
    param: 'audio',
  },
  {
    what: 'a commit of nothing',
    frame: { type: 'input_audio_buffer.commit', event_id: 'mine' },
    code: 'input_audio_buffer_commit_empty',
    message:
      /^Error committing input audio buffer: buffer too small\. Expected at least 100ms of audio, but buffer only has 0\.00ms of audio\.$/,
  },
  {
    what: 'metadata of too many pairs, none of which is looked at',
    frame: {
      type: 'response.create',
      event_id: 'mine',
      response: { metadata: Object.fromEntries(Array.from({ length: 17 }, (_, at) => [`${at}`, at])) },
    },
    code: 'invalid_value',
    param: 'response.metadata',
    message: /at most 16 pairs/,
  },
  {
    what: 'a cancellation of nothing',
    frame: { type: 'response.cancel', event_id: 'mine' },
    code: 'response_cancel_not_active',
    message: /^Cancellation failed: no active response found$/,
  },
  {
    what: 'an item that is to come after nobody',
    frame: { ...userSays('hello'), previous_item_id: 'nobody', event_id: 'mine' },
    code: 'invalid_value',
    param: 'previous_item_id',
  },
  {
    what: 'an item of an unknown type',
    frame: { type: 'conversation.item.create', event_id: 'mine', item: { type: 'thought' } },
    code: 'invalid_value',
    param: 'item.type',
  },
  {
    what: 'an item with a picture',
    frame: {
      type: 'conversation.item.create',
      event_id: 'mine',
      item: { type: 'message', role: 'user', content: [{ type: 'input_image', image_url: 'data:image/png;base64,' }] },
    },
    code: 'invalid_value',
    param: 'item.content[0].type',
  },
  {
    what: 'a result of a call that nobody made',
    frame: {
      type: 'conversation.item.create',
      event_id: 'mine',
      item: { type: 'function_call_output', call_id: 'none', output: '1' },
    },
    code: 'invalid_value',
    param: 'item.call_id',
  },
  {
    what: 'a truncation of nothing',
    frame: { type: 'conversation.item.truncate', event_id: 'mine', item_id: 'x', content_index: 0, audio_end_ms: 1 },
    code: 'item_truncate_invalid_item_id',
    param: 'item_id',
  },
  {
    what: 'a deletion of nothing',
    frame: { type: 'conversation.item.delete', event_id: 'mine', item_id: 'x' },
    code: 'item_delete_invalid_item_id',
    param: 'item_id',
  },
  {
    what: 'a retrieval of nothing',
    frame: { type: 'conversation.item.retrieve', event_id: 'mine', item_id: 'x' },
    code: 'item_retrieve_invalid_item_id',
    param: 'item_id',
  },
  {
    what: 'a response with an unknown field',
    frame: { type: 'response.create', event_id: 'mine', response: { mood: 'good' } },
    code: 'unknown_parameter',
    param: 'response.mood',
  },
  {
    what: 'a response that must call a tool there is none of',
    frame: { type: 'response.create', event_id: 'mine', response: { tool_choice: { type: 'function', name: 'x' } } },
    code: 'invalid_value',
    param: 'response.tool_choice',
  },
  {
    what: 'a response with too many pairs of metadata',
    frame: {
      type: 'response.create',
      event_id: 'mine',
      response: { metadata: Object.fromEntries(Array.from({ length: 17 }, (_, index) => [`k${index}`, 'v'])) },
    },
    code: 'invalid_value',
    param: 'response.metadata',
  },
  {
    what: 'a response that refers to an item there is none of',
    frame: { type: 'response.create', event_id: 'mine', response: { input: [{ type: 'item_reference', id: 'x' }] } },
    code: 'invalid_value',
    param: 'response.input[0].id',
  },
  {
    what: 'a response in a transcription session',
    frame: { type: 'response.create', event_id: 'mine' },
    code: 'invalid_value',
    options: { kind: 'transcription' },
  },
  {
    what: 'more sound than is kept',
    frame: { type: 'input_audio_buffer.append', event_id: 'mine', audio: audioOf(1_100, false) },
    code: 'input_audio_buffer_full',
    param: 'audio',
    options: { limits: { bufferSeconds: 1 } },
  },
  {
    what: 'sound that comes much faster than it is spoken',
    frame: { type: 'input_audio_buffer.append', event_id: 'mine', audio: audioOf(1_100, false) },
    code: 'rate_limit_exceeded',
    param: 'audio',
    options: { limits: { appendAheadSeconds: 1 } },
  },
  {
    what: 'an event with very many values',
    frame: { ...userSays('x'), event_id: 'mine', more: Array.from({ length: 200 }, () => 1) },
    code: 'invalid_event',
    options: { limits: { eventValues: 100 } },
  },
  {
    what: 'an event that goes very deep',
    frame: { type: 'session.update', event_id: 'mine', session: { type: 'realtime', tools: [deep(100)] } },
    code: 'invalid_event',
  },
  {
    what: 'tools that are very long together',
    frame: {
      type: 'session.update',
      event_id: 'mine',
      session: {
        type: 'realtime',
        tools: ['a', 'b'].map((name) => ({ type: 'function', name, description: 'x'.repeat(60) })),
      },
    },
    code: 'invalid_value',
    param: 'session.tools',
    options: { limits: { toolCharacters: 150 } },
  },
  {
    what: 'an item with much sound',
    frame: {
      type: 'conversation.item.create',
      event_id: 'mine',
      item: { type: 'message', role: 'user', content: [{ type: 'input_audio', audio: audioOf(1_100, true) }] },
    },
    code: 'invalid_value',
    param: 'item.content[0].audio',
    options: { limits: { itemAudioSeconds: 1 } },
  },
  {
    what: 'an item that is too long',
    frame: { ...userSays('x'.repeat(11)), event_id: 'mine' },
    code: 'invalid_value',
    param: 'item.content[0].text',
    options: { limits: { itemCharacters: 10 } },
  },
]

for (const { what, frame, code, param, message, options } of cases)
  for (const dialect of ['ga', 'beta'] as const)
    test(`${what} is refused in ${dialect} with ${code}, naming its event, and the session lives on`, (t) => {
      const session = aSession(t, { dialect, ...options })
      session.send(frame as object)
      const { type, event_id, error } = session.events.at(-1)!
      t.is(type, 'error')
      t.regex(event_id, /^event_/)
      t.deepEqual(Object.keys(error), ['type', 'code', 'message', 'param', 'event_id'])
      t.is(error.code, code)
      t.is(error.event_id, 'mine')
      if (param !== undefined) t.is(error.param, param)
      if (message) t.regex(error.message, message)
      session.send({ type: 'input_audio_buffer.clear' })
      t.is(session.events.at(-1)!.type, 'input_audio_buffer.cleared')
      t.deepEqual(session.closed, [])
      t.deepEqual(session.log.lines, [])
    })

test('a frame that is not JSON, is no object, or is binary is refused and the session lives on', (t) => {
  const session = aSession(t)
  const codeOf = (frame: string): string => {
    session.sendRaw(frame)
    return session.events.at(-1)!['error'].code
  }
  t.is(codeOf('{'), 'invalid_json')
  t.is(codeOf(''), 'invalid_json')
  t.is(codeOf('[]'), 'invalid_event')
  t.is(codeOf('null'), 'invalid_event')
  t.is(codeOf('7'), 'invalid_event')
  session.running.receiveBinary()
  t.like(session.events.at(-1), { type: 'error', error: { code: 'invalid_event', event_id: null } })
  t.deepEqual(session.closed, [])
})

test('a frame that is longer than an event may be is refused unread', (t) => {
  const session = aSession(t, { limits: { eventCharacters: 100 } })
  session.sendRaw(JSON.stringify({ type: 'input_audio_buffer.append', audio: 'A'.repeat(100) }))
  t.like(session.events.at(-1), { type: 'error', error: { code: 'invalid_event' } })
})

test('a second response in the conversation is refused while the first runs', async (t) => {
  const session = aSession(t)
  const hold = new Promise(() => undefined)
  session.model.next.push([hold])
  session.send({ type: 'response.create' })
  const { response } = await session.next('response.created')
  session.send({ type: 'response.create', event_id: 'second' })
  const { error } = session.events.at(-1)!
  t.like(error, { code: 'conversation_already_has_active_response', event_id: 'second' })
  t.is(
    error.message,
    `Conversation already has an active response in progress: ${response.id}. Wait until the response is finished before creating a new one.`,
  )
})

test('more responses than a minute may have are refused with rate_limit_exceeded', async (t) => {
  const session = aSession(t, { limits: { responsesPerMinute: 1 } })
  session.send({ type: 'response.create' })
  await session.next('response.done')
  session.send({ type: 'response.create', event_id: 'second' })
  t.like(session.events.at(-1)!['error'], { type: 'rate_limit_error', code: 'rate_limit_exceeded', event_id: 'second' })
})

test('an item that is not spoken cannot be truncated, unless at nothing', async (t) => {
  const session = aSession(t)
  session.send(userSays('hello', 'mine'))
  session.send({ type: 'conversation.item.truncate', item_id: 'mine', content_index: 0, audio_end_ms: 10 })
  t.like(session.events.at(-1)!['error'], {
    code: 'unsupported_content_type',
    message: 'Only model output audio messages can be truncated',
  })
  session.model.next.push(says('Hello.'))
  session.send({ type: 'response.create', response: { output_modalities: ['text'] } })
  const { item } = await session.next('response.output_item.done')
  session.send({ type: 'conversation.item.truncate', item_id: item.id, content_index: 0, audio_end_ms: 10 })
  t.like(session.events.at(-1)!['error'], { code: 'unsupported_content_type' })
  session.send({ type: 'conversation.item.truncate', item_id: item.id, content_index: 0, audio_end_ms: 0 })
  t.like(session.events.at(-1), { type: 'conversation.item.truncated', audio_end_ms: 0 })
})

test('an item cannot be truncated behind its end', async (t) => {
  const session = aSession(t)
  session.model.next.push(says('Hello there.'))
  session.send({ type: 'response.create' })
  const { item } = await session.next('response.output_item.done')
  session.send({ type: 'conversation.item.truncate', item_id: item.id, content_index: 0, audio_end_ms: 201 })
  t.like(session.events.at(-1)!['error'], {
    code: 'invalid_value',
    param: 'audio_end_ms',
    message: 'Audio content of 200ms is already shorter than 201ms',
  })
})

import test from 'ava'

import { says } from '../../support/realtime-fakes.ts'
import { aSession, append, audioOf, userSays } from '../../support/realtime-session.ts'

test('an item that a client creates keeps its id and is told as added and done', (t) => {
  const session = aSession(t)
  session.send(userSays('hello', 'mine'))
  const item = {
    id: 'mine',
    object: 'realtime.item',
    type: 'message',
    status: 'completed',
    role: 'user',
    content: [{ type: 'input_text', text: 'hello' }],
  }
  const [added, done] = session.events.slice(1)
  t.deepEqual(Object.keys(added!), ['type', 'event_id', 'previous_item_id', 'item'])
  t.is(added!.type, 'conversation.item.added')
  t.deepEqual(added!['item'], item)
  t.is(done!.type, 'conversation.item.done')
  t.deepEqual(done!['item'], item)
})

test('an item that a client creates is told once in the older dialect', (t) => {
  const session = aSession(t, { dialect: 'beta' })
  session.send(userSays('hello', 'mine'))
  t.deepEqual(session.types().slice(2), ['conversation.item.created'])
  t.like(session.events.at(-1), { previous_item_id: null, item: { id: 'mine', status: 'completed' } })
})

test('items go to the end, behind another one, or to the front', async (t) => {
  const session = aSession(t)
  session.send(userSays('b', 'b'))
  session.send({ ...userSays('d', 'd'), previous_item_id: 'b' })
  session.send({ ...userSays('c', 'c'), previous_item_id: 'b' })
  session.send({ ...userSays('a', 'a'), previous_item_id: 'root' })
  t.deepEqual(
    session.only('conversation.item.added').map(({ item, previous_item_id }) => [item.id, previous_item_id]),
    [
      ['b', null],
      ['d', 'b'],
      ['c', 'b'],
      ['a', null],
    ],
  )
  session.send({ type: 'response.create' })
  await session.next('response.done')
  t.deepEqual(
    session.model.asked[0]!.turns.map((turn) => turn.kind === 'said' && turn.text),
    ['a', 'b', 'c', 'd'],
  )
})

test('an id is used once', (t) => {
  const session = aSession(t)
  session.send(userSays('hello', 'mine'))
  session.send(userSays('again', 'mine'))
  t.like(session.events.at(-1)!['error'], { code: 'invalid_value', param: 'item.id' })
})

const dialects = ['ga', 'beta'] as const
for (const dialect of dialects)
  test(`a conversation is written back in ${dialect} with its own names for the parts`, (t) => {
    const session = aSession(t, { dialect })
    const create = (item: object) => {
      session.send({ type: 'conversation.item.create', item })
      return session.only(dialect === 'ga' ? 'conversation.item.added' : 'conversation.item.created').at(-1)!['item']
    }
    const text = dialect === 'ga' ? 'output_text' : 'text'
    const audio = dialect === 'ga' ? 'output_audio' : 'audio'
    for (const given of ['text', 'output_text', 'input_text'])
      t.deepEqual(create({ type: 'message', role: 'assistant', content: [{ type: given, text: 'x' }] }).content, [
        { type: text, text: 'x' },
      ])
    for (const given of ['audio', 'output_audio'])
      t.deepEqual(create({ type: 'message', role: 'assistant', content: [{ type: given, transcript: 'x' }] }).content, [
        { type: audio, transcript: 'x' },
      ])
    t.deepEqual(create({ type: 'message', role: 'system', content: [{ type: 'input_text', text: 'x' }] }).content, [
      { type: 'input_text', text: 'x' },
    ])
    t.deepEqual(
      create({ type: 'message', role: 'user', content: [{ type: 'input_audio', transcript: 'x' }] }).content,
      [{ type: 'input_audio', transcript: 'x' }],
    )
    t.like(create({ type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' }), {
      object: 'realtime.item',
      name: 'f',
      call_id: 'c',
      arguments: '{}',
    })
    t.like(create({ type: 'function_call_output', call_id: 'c', output: '7' }), { call_id: 'c', output: '7' })
  })

test('what the model is asked holds every kind of item', async (t) => {
  const session = aSession(t)
  const items = [
    { type: 'message', role: 'system', content: [{ type: 'input_text', text: 'be brief' }] },
    { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'weather?' }] },
    { type: 'function_call', call_id: 'c', name: 'weather', arguments: '{"city":"Pune"}' },
    { type: 'function_call_output', call_id: 'c', output: '31 degrees' },
    { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'It is hot.' }] },
  ]
  for (const item of items) session.send({ type: 'conversation.item.create', item })
  session.send({ type: 'response.create' })
  await session.next('response.done')
  t.deepEqual(session.model.asked[0]!.turns, [
    { kind: 'said', by: 'system', text: 'be brief' },
    { kind: 'said', by: 'user', text: 'weather?' },
    { kind: 'called', callId: 'c', name: 'weather', arguments: '{"city":"Pune"}' },
    { kind: 'returned', callId: 'c', output: '31 degrees' },
    { kind: 'said', by: 'assistant', text: 'It is hot.' },
  ])
})

test('sound inside an item is heard', async (t) => {
  const session = aSession(t)
  session.send({ type: 'session.update', session: { type: 'realtime', audio: { input: { transcription: {} } } } })
  session.listener.next.push('namaste')
  session.send({
    type: 'conversation.item.create',
    item: { id: 'mine', type: 'message', role: 'user', content: [{ type: 'input_audio', audio: audioOf(300, true) }] },
  })
  t.deepEqual(session.only('conversation.item.added')[0]!['item'].content, [{ type: 'input_audio', transcript: null }])
  const { transcript, item_id } = await session.next('conversation.item.input_audio_transcription.completed')
  t.deepEqual([transcript, item_id], ['namaste', 'mine'])
  t.true(Math.abs(session.listener.asked[0]!.samples - 4_800) <= 1)
})

for (const dialect of dialects) {
  test(`an item is retrieved in ${dialect} with the sound that came in`, async (t) => {
    const session = aSession(t, { dialect })
    session.send({ type: 'session.update', session: { turn_detection: null, input_audio_transcription: {} } })
    append(session, 200, true)
    session.send({ type: 'input_audio_buffer.commit' })
    const { item_id } = await session.next('conversation.item.input_audio_transcription.completed')
    session.send({ type: 'conversation.item.retrieve', item_id })
    const { item } = await session.next('conversation.item.retrieved')
    t.like(item, { id: item_id, role: 'user', content: [{ type: 'input_audio', transcript: 'hello there' }] })
    t.true(Math.abs(Buffer.from(item.content[0].audio, 'base64').length - 9_600) <= 4)
  })

  test(`an item is deleted in ${dialect} and not read any more`, async (t) => {
    const session = aSession(t, { dialect })
    session.send(userSays('secret', 'mine'))
    session.send({ type: 'conversation.item.delete', item_id: 'mine' })
    t.deepEqual(Object.keys(session.events.at(-1)!), ['type', 'event_id', 'item_id'])
    t.like(session.events.at(-1), { type: 'conversation.item.deleted', item_id: 'mine' })
    session.send({ type: 'response.create' })
    await session.next('response.done')
    t.deepEqual(session.model.asked[0]!.turns, [])
  })
}

test('items come back without their sound when much of it was asked for', (t) => {
  const session = aSession(t, { limits: { retrievedSecondsPerMinute: 0.3 } })
  session.send({
    type: 'conversation.item.create',
    item: { id: 'mine', type: 'message', role: 'user', content: [{ type: 'input_audio', audio: audioOf(200, true) }] },
  })
  for (let times = 0; times < 2; times += 1) session.send({ type: 'conversation.item.retrieve', item_id: 'mine' })
  t.deepEqual(
    session.only('conversation.item.retrieved').map(({ item }) => 'audio' in item.content[0]),
    [true, false],
  )
})

test('a full conversation forgets its oldest items and says so', (t) => {
  const session = aSession(t, { limits: { items: 2 } })
  for (const id of ['a', 'b', 'c']) session.send(userSays(id, id))
  t.deepEqual(
    session.only('conversation.item.deleted').map(({ item_id }) => item_id),
    ['a'],
  )
  t.is(session.only('conversation.item.added').at(-1)!['previous_item_id'], 'b')
})

test('a conversation with much text forgets its oldest items', (t) => {
  const session = aSession(t, { limits: { conversationCharacters: 10 } })
  session.send(userSays('aaaaaa', 'a'))
  session.send(userSays('bbbbbb', 'b'))
  t.like(session.only('conversation.item.deleted')[0], { item_id: 'a' })
})

test('the model reads the newest turns that fit, and a result never without its call', async (t) => {
  const session = aSession(t, { limits: { contextCharacters: 12 } })
  session.send(userSays('long ago and far away'))
  session.send({
    type: 'conversation.item.create',
    item: { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' },
  })
  session.send({
    type: 'conversation.item.create',
    item: { type: 'function_call_output', call_id: 'c', output: '123456' },
  })
  session.send(userSays('now'))
  session.send({ type: 'response.create' })
  await session.next('response.done')
  t.deepEqual(
    session.model.asked[0]!.turns.map(({ kind }) => kind),
    ['called', 'returned', 'said'],
  )
  session.send(userSays('more!'))
  session.send({ type: 'response.create' })
  await session.next('response.done')
  t.is(session.model.asked[1]!.turns[0]!.kind, 'said')
})

test('a conversation that may not be cut fails when it is too long', async (t) => {
  const session = aSession(t, { limits: { contextCharacters: 3 } })
  session.send({ type: 'session.update', session: { type: 'realtime', truncation: 'disabled' } })
  session.send(userSays('too long'))
  session.send({ type: 'response.create' })
  const { response } = await session.next('response.done')
  t.like(response, { status: 'failed', status_details: { type: 'failed', error: { code: 'too_large' } } })
})

test('an item that is deleted while it is being said stays away', async (t) => {
  const session = aSession(t)
  let goOn = (): void => undefined
  const hold = new Promise<void>((resolve) => {
    goOn = resolve
  })
  session.model.next.push([{ kind: 'text', delta: 'Hello.' }, hold, ...says(' Bye.')])
  session.send({ type: 'response.create', response: { output_modalities: ['text'] } })
  const { item } = await session.next('response.output_item.added')
  session.send({ type: 'conversation.item.delete', item_id: item.id })
  goOn()
  await session.next('response.done')
  session.send({ type: 'conversation.item.retrieve', item_id: item.id })
  t.like(session.events.at(-1)!['error'], { code: 'item_retrieve_invalid_item_id' })
})

const picture = { type: 'input_image', image_url: 'data:image/png;base64,AAAA', detail: 'low' }
const beside = [picture, { type: 'input_text', text: 'What is this?' }, { type: 'input_file', file_id: 'file_1' }]

test('a picture beside text is left out with a warning, and the text stays', async (t) => {
  const session = aSession(t)
  const item = { type: 'message', role: 'user', content: beside }
  session.send({ type: 'conversation.item.create', event_id: 'mine', item })
  const added = await session.next('conversation.item.added')
  t.deepEqual(added.item.content, [{ type: 'input_text', text: 'What is this?' }])
  const warnings = session.events.filter(({ type }) => type === 'error').map(({ error }) => error)
  t.deepEqual(
    warnings.map(({ code, param, event_id }) => [code, param, event_id]),
    [
      ['unsupported_content_type', 'item.content[0]', 'mine'],
      ['unsupported_content_type', 'item.content[2]', 'mine'],
    ],
  )
  session.send({ type: 'response.create' })
  await session.next('response.done')
  t.deepEqual(session.model.asked[0]!.turns, [{ kind: 'said', by: 'user', text: 'What is this?' }])
})

test('a picture in the input of a response is left out with a warning too', async (t) => {
  const session = aSession(t)
  const input = [{ type: 'message', role: 'user', content: beside }]
  session.send({ type: 'response.create', response: { conversation: 'none', input } })
  await session.next('response.done')
  t.deepEqual(session.model.asked[0]!.turns, [{ kind: 'said', by: 'user', text: 'What is this?' }])
  const warnings = session.events.filter(({ type }) => type === 'error').map(({ error }) => error.param)
  t.deepEqual(warnings, ['response.input[0].content[0]', 'response.input[0].content[2]'])
})

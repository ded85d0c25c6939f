import test from 'ava'

import { needsApproval } from '../../../infra/mcp/approval.ts'
import { eventually } from '../../support/eventually.ts'
import { asksFor, callsApproved } from '../../support/realtime-fakes.ts'
import { aSession } from '../../support/realtime-session.ts'
import type { TestSession } from '../../support/realtime-session.ts'

const city = '{"city":"Pune"}'

/** A model that wants to call a tool, and a client that was asked. */
async function asked(session: TestSession): Promise<string> {
  session.model.next.push(asksFor('sky', 'get_weather', city))
  session.send({ type: 'response.create' })
  const { response } = await session.next('response.done')
  return response.output[0].id
}

const answered = (requestId: string, approve: boolean, more: object = {}) => ({
  type: 'conversation.item.create',
  event_id: 'mine',
  previous_item_id: requestId,
  item: { type: 'mcp_approval_response', approval_request_id: requestId, approve, ...more },
})

test('the client is asked before a tool is called, by an item of the response and of the conversation', async (t) => {
  const session = aSession(t)
  const requestId = await asked(session)
  const request = {
    id: requestId,
    object: 'realtime.item',
    type: 'mcp_approval_request',
    status: 'completed',
    server_label: 'sky',
    name: 'get_weather',
    arguments: city,
  }
  for (const type of ['conversation.item.added', 'conversation.item.done', 'response.output_item.done'])
    t.deepEqual(session.only(type)[0]!['item'], request, type)
  t.is(session.only('response.done')[0]!['response'].status, 'completed')
})

test('what is allowed is called once, its outcome is an item, and the answer follows by itself', async (t) => {
  const session = aSession(t)
  const requestId = await asked(session)
  session.model.next.push(callsApproved('It is sunny.', 'Take no umbrella.'))
  session.send(answered(requestId, true))
  const { response } = await session.next('response.done')
  t.deepEqual(session.model.asked[1]!.approved, [{ id: requestId, label: 'sky', tool: 'get_weather', arguments: city }])
  t.like(response.output[0], {
    type: 'mcp_call',
    status: 'completed',
    approval_request_id: requestId,
    server_label: 'sky',
    name: 'get_weather',
    arguments: city,
    output: 'It is sunny.',
    error: null,
  })
  t.is(response.output[1].type, 'message')
  session.send({ type: 'response.create' })
  await session.next('response.done')
  t.is(session.model.asked[2]!.approved, undefined, 'it is not made again')
  t.like(session.model.asked[2]!.turns[0], { kind: 'called', name: 'sky__get_weather', arguments: city })
  t.like(session.model.asked[2]!.turns[1], { kind: 'returned', output: 'It is sunny.' })
})

test('what is not allowed is not called, and the model is told so', async (t) => {
  const session = aSession(t)
  session.send(answered(await asked(session), false, { reason: 'Too dear.' }))
  await session.next('response.done')
  const { approved, turns } = session.model.asked[1]!
  t.is(approved, undefined)
  t.like(turns[0], { kind: 'called', name: 'sky__get_weather' })
  t.like(turns[1], { kind: 'returned', output: 'Error: the user did not allow this call. Too dear.' })
})

test('a call that is broken off is not made again, and the model knows that it may have been made', async (t) => {
  const session = aSession(t)
  const requestId = await asked(session)
  session.model.next.push(({ approved = [] }) => [
    { kind: 'approved', id: approved[0]!.id },
    new Promise(() => undefined),
  ])
  session.send(answered(requestId, true))
  await session.next('response.mcp_call.in_progress')
  session.send({ type: 'response.cancel' })
  session.send({ type: 'response.create' })
  await session.next('response.created')
  await session.next('response.done')
  const { approved, turns } = session.model.asked.at(-1)!
  t.is(approved, undefined)
  t.like(turns.at(-1), { kind: 'returned', output: 'Error: the call was broken off, and may have been made.' })
})

test('an approval while something is being answered waits for the next answer', async (t) => {
  const session = aSession(t)
  const requestId = await asked(session)
  session.model.next.push([new Promise(() => undefined)], callsApproved('It is sunny.', 'Good.'))
  session.send({ type: 'response.create' })
  await eventually('the model is asked', () => session.model.asked.length === 2)
  session.send(answered(requestId, true))
  t.deepEqual(session.only('error'), [])
  session.send({ type: 'response.cancel' })
  session.send({ type: 'response.create' })
  await session.next('response.mcp_call.completed')
  t.is(session.model.asked.at(-1)!.approved?.length, 1)
})

test('a request is answered once, and only one that was made', async (t) => {
  const session = aSession(t)
  const requestId = await asked(session)
  session.send({ ...answered('nobody', true), previous_item_id: undefined })
  t.like(session.events.at(-1)!['error'], { param: 'item.approval_request_id', event_id: 'mine' })
  session.send(answered(requestId, false))
  await session.next('response.done')
  session.send({ ...answered(requestId, true), previous_item_id: undefined })
  t.like(session.events.at(-1)!['error'], {
    code: 'invalid_value',
    message: `The request '${requestId}' was answered already.`,
  })
  t.is(session.model.asked.length, 2)
})

test('an approval outside the conversation is refused', async (t) => {
  const session = aSession(t)
  const { item } = answered(await asked(session), true)
  session.send({ type: 'response.create', response: { conversation: 'none', input: [item] } })
  t.like(session.events.at(-1)!['error'], { param: 'response.input[0].type' })
})

const limits = { toolServerOrigins: ['https://tools.example'] }
const server = { type: 'mcp', server_label: 'sky', server_url: 'https://tools.example/mcp' }
const wishes: readonly [wish: object, shown: unknown][] = [
  [{}, 'always'],
  [{ require_approval: 'always' }, 'always'],
  [{ require_approval: 'never' }, 'never'],
  [{ require_approval: { never: { tool_names: ['a'] } } }, { never: { tool_names: ['a'] } }],
  [{ require_approval: { always: { tool_names: ['a'] } } }, { always: { tool_names: ['a'] } }],
]
for (const [wish, shown] of wishes)
  test(`a session that asks for ${JSON.stringify(wish)} is told ${JSON.stringify(shown)}`, (t) => {
    const session = aSession(t, { limits })
    session.send({ type: 'session.update', session: { type: 'realtime', tools: [{ ...server, ...wish }] } })
    t.deepEqual(session.events.at(-1)!['session'].tools[0].require_approval, shown)
  })

test('tools are asked about by their names, and in doubt they are', (t) => {
  const needs = (approval: Parameters<typeof needsApproval>[0]['approval']) =>
    ['a', 'b', 'c'].filter((tool) => needsApproval({ approval }, tool)).join('')
  t.is(needs(undefined), '')
  t.is(needs('always'), 'abc')
  t.is(needs({ always: ['a'] }), 'a')
  t.is(needs({ never: ['a'] }), 'bc')
  t.is(needs({ always: ['a'], never: ['b'] }), 'ac')
  t.is(needs({ always: ['a'], never: ['a'] }), 'abc')
  t.is(needs({}), 'abc')
})

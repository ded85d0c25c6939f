import test from 'ava'

import { aSession } from '../../support/realtime-session.ts'

const limits = { toolServerOrigins: ['https://tools.example'] }
const server = {
  type: 'mcp',
  server_label: 'sky',
  server_url: 'https://tools.example/mcp',
  authorization: 'secret',
  allowed_tools: ['get_weather'],
  require_approval: 'never',
}
const update = (...tools: readonly object[]) => ({
  type: 'session.update',
  event_id: 'mine',
  session: { type: 'realtime', tools },
})

test('a tool server that may be called is shown without its key, and the model has its tools', async (t) => {
  const session = aSession(t, { limits })
  session.send(update(server, { type: 'function', name: 'set_light' }))
  const { authorization: _, ...shown } = server
  t.deepEqual(session.events.at(-1)!['session'].tools[1], shown)
  t.false(JSON.stringify(session.events).includes('secret'))
  session.send({ type: 'response.create' })
  await session.next('response.done')
  t.deepEqual(session.model.asked[0]!.toolServers, [
    { label: 'sky', url: server.server_url, authorization: 'secret', allowed: ['get_weather'] },
  ])
  t.is(session.model.asked[0]!.toolChoice, 'auto')
})

const refusals: readonly [what: string, tools: readonly object[], param: string][] = [
  ['of another origin', [{ ...server, server_url: 'https://evil.example/mcp' }], 'session.tools[0].server_url'],
  ['that looks alike', [{ ...server, server_url: 'https://tools.example.evil/' }], 'session.tools[0].server_url'],
  [
    'with a user in its address',
    [{ ...server, server_url: 'https://a@tools.example/' }],
    'session.tools[0].server_url',
  ],
  ['by another scheme', [{ ...server, server_url: 'http://tools.example/mcp' }], 'session.tools[0].server_url'],
  ['that is no address', [{ ...server, server_url: 'tools' }], 'session.tools[0].server_url'],
  ['that wants approvals sometimes', [{ ...server, require_approval: 'often' }], 'session.tools[0].require_approval'],
  ['with a key of two lines', [{ ...server, authorization: 'a\r\nb' }], 'session.tools[0].authorization'],
  ['with a field that nobody knows', [{ ...server, colour: 'red' }], 'session.tools[0].colour'],
  ['that is there twice', [server, server], 'session.tools[1].server_label'],
]
for (const [what, tools, param] of refusals)
  test(`a tool server ${what} is refused, naming the field`, (t) => {
    const session = aSession(t, { limits })
    session.send(update(...tools))
    t.like(session.events.at(-1)!['error'], { type: 'invalid_request_error', param, event_id: 'mine' })
  })

test('where no tool servers are named in the settings, no client names any', (t) => {
  const session = aSession(t)
  session.send(update(server))
  t.like(session.events.at(-1)!['error'], { code: 'invalid_value', param: 'session.tools[0].type' })
})

test('a locked session keeps the tool servers that it has: none', (t) => {
  const session = aSession(t, { limits, locked: true })
  session.send(update(server))
  t.like(session.events.at(-1)!['error'], { code: 'invalid_value', param: 'session.tools' })
})

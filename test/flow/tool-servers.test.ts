import test from 'ava'
import type { ExecutionContext } from 'ava'

import type { AnswerPart, AnswerRequest, ToolServer } from '../../actors/conversation/ports.ts'
import { withToolServers } from '../../infra/mcp/with-tool-servers.ts'
import { freePort } from '../../infra/process/free-port.ts'
import { systemClock } from '../../infra/timing/clock.ts'
import { aToolServer } from '../support/mcp-server.ts'
import { aModel, calls, says } from '../support/realtime-fakes.ts'
import type { FakeModel } from '../support/realtime-fakes.ts'
import { silentLog } from '../support/silent-log.ts'

/** Enough for a machine that does other things too; one test waits for all of it. */
const answerWithinMs = 10_000

const question: AnswerRequest = {
  instructions: '',
  turns: [{ kind: 'said', by: 'user', text: 'weather in Pune?' }],
  tools: [],
  toolChoice: 'auto',
}

async function answerOf(
  model: FakeModel,
  request: Partial<AnswerRequest>,
  { timeoutMs = answerWithinMs, signal = new AbortController().signal } = {},
): Promise<AnswerPart[]> {
  const answers = withToolServers(model, { timeoutMs, clock: systemClock, log: silentLog })
  const parts: AnswerPart[] = []
  for await (const part of answers.answer({ ...question, ...request }, signal)) parts.push(part)
  return parts
}

const textIn = (parts: readonly AnswerPart[]): string =>
  parts.map((part) => (part.kind === 'text' ? part.delta : '')).join('')

async function theServer(t: ExecutionContext, more: Partial<ToolServer> = {}) {
  const server = await aToolServer(t)
  return { server, toolServers: [{ label: 'sky', url: server.url, ...more }] }
}

test('a tool of a server is called on the way, and only the answer is heard', async (t) => {
  const { server, toolServers } = await theServer(t)
  const model = aModel()
  model.next.push(calls('sky__get_weather', '{"city":', '"Pune"}'), says('It is sunny.'))
  const parts = await answerOf(model, { toolServers, toolChoice: { name: 'sky__get_weather' } })
  t.is(textIn(parts), 'It is sunny.')
  t.deepEqual(server.calls, ['get_weather Pune'])
  t.deepEqual(
    parts.map(({ kind }) => kind),
    ['text', 'usage', 'end'],
  )
  t.like(parts.at(-2), { inputTokens: 32, outputTokens: 12 }, 'both questions are counted')
  const offered = model.asked[0]!.tools.find(({ name }) => name === 'sky__get_weather')
  t.like(offered, { description: 'Tells the weather.', parameters: { type: 'object', required: ['city'] } })
  t.is(model.asked[1]!.toolChoice, 'auto')
  t.like(model.asked[1]!.turns.at(-2), { kind: 'called', name: 'sky__get_weather', arguments: '{"city":"Pune"}' })
  t.like(model.asked[1]!.turns.at(-1), { kind: 'returned', output: 'It is sunny in Pune.' })
})

test('only tools that are allowed are offered, and the key goes along', async (t) => {
  const { server, toolServers } = await theServer(t, { allowed: ['get_weather'], authorization: 'secret' })
  const model = aModel()
  await answerOf(model, { toolServers })
  t.deepEqual(
    model.asked[0]!.tools.map(({ name }) => name),
    ['sky__get_weather'],
  )
  t.deepEqual([...new Set(server.authorizations)], ['Bearer secret'])
})

const failing: readonly [tool: string, told: RegExp][] = [
  ['broken', /^Error: .*out of order/],
  ['silent', /^Error: the tool did not answer/],
  ['endless', /^x{20000}$/],
]
for (const [tool, told] of failing)
  test(`the model is told of a tool that is ${tool}, and answers`, async (t) => {
    const { toolServers } = await theServer(t)
    const model = aModel()
    model.next.push(calls(`sky__${tool}`, '{}'), says('I could not find out.'))
    t.is(textIn(await answerOf(model, { toolServers })), 'I could not find out.')
    const last = model.asked[1]!.turns.at(-1)
    t.regex(last?.kind === 'returned' ? last.output : '', told)
  })

test('a server that is away has no tools, and the answer comes all the same', async (t) => {
  const model = aModel()
  const toolServers = [{ label: 'gone', url: `http://127.0.0.1:${await freePort()}/mcp` }]
  t.is(textIn(await answerOf(model, { toolServers })), 'I hear you.')
  t.deepEqual(model.asked[0]!.tools, [])
})

test('a server that was away is not waited for before every answer', async (t) => {
  const model = aModel()
  const warnings: string[] = []
  const log = { ...silentLog, warn: (message: string) => void warnings.push(message) }
  const answers = withToolServers(model, { timeoutMs: answerWithinMs, clock: systemClock, log })
  const toolServers = [{ label: 'gone', url: `http://127.0.0.1:${await freePort()}/mcp` }]
  for (const turns of [question.turns, question.turns]) {
    const parts: AnswerPart[] = []
    for await (const part of answers.answer({ ...question, turns, toolServers }, new AbortController().signal))
      parts.push(part)
    t.is(textIn(parts), 'I hear you.')
  }
  t.deepEqual(warnings, ['tool server not asked'])
})

test('a model that calls for ever is asked for an answer in the end, with nothing left to call', async (t) => {
  const { server, toolServers } = await theServer(t)
  const model = aModel()
  const again = calls('sky__get_weather', '{"city":"Pune"}')
  model.next.push(again, again, again, again, again, says('Enough.'))
  t.is(textIn(await answerOf(model, { toolServers })), 'Enough.')
  t.is(server.calls.length, 5)
  t.like(model.asked.at(-1), { tools: [], toolChoice: 'none' })
})

test('a call that the client has to run ends the answer, as without tool servers', async (t) => {
  const { server, toolServers } = await theServer(t)
  const model = aModel()
  const own = { name: 'set_light', description: '', parameters: { type: 'object' } }
  model.next.push(calls('set_light', '{"state":"on"}'))
  const parts = await answerOf(model, { toolServers, tools: [own] })
  t.like(parts[0], { kind: 'call', name: 'set_light' })
  t.is(model.asked.length, 1)
  t.deepEqual(server.calls, [])
})

test('who interrupts does not wait for a tool', async (t) => {
  const { toolServers } = await theServer(t)
  const model = aModel()
  const interrupting = new AbortController()
  model.next.push(() => {
    setImmediate(() => interrupting.abort(new Error('interrupted')))
    return calls('sky__silent', '{}')
  })
  const answering = answerOf(model, { toolServers }, { timeoutMs: 60_000, signal: interrupting.signal })
  await t.throwsAsync(answering, { message: 'interrupted' })
})

test('a tool that the client has to allow is not called, and the answer ends with the question', async (t) => {
  const { server, toolServers } = await theServer(t, { approval: 'always' })
  const model = aModel()
  model.next.push(calls('sky__get_weather', '{"city":"Pune"}'))
  const parts = await answerOf(model, { toolServers })
  t.deepEqual(parts[0], { kind: 'approval', label: 'sky', tool: 'get_weather', arguments: '{"city":"Pune"}' })
  t.deepEqual(
    parts.map(({ kind }) => kind),
    ['approval', 'usage', 'end'],
  )
  t.is(model.asked.length, 1)
  t.deepEqual(server.calls, [])
})

test('a tool that is on the list of those that need no approval is called', async (t) => {
  const { server, toolServers } = await theServer(t, { approval: { never: ['get_weather'] } })
  const model = aModel()
  model.next.push(calls('sky__get_weather', '{"city":"Pune"}'), says('It is sunny.'))
  t.is(textIn(await answerOf(model, { toolServers })), 'It is sunny.')
  t.deepEqual(server.calls, ['get_weather Pune'])
})

test('nobody is asked about a call that could not be made', async (t) => {
  const { toolServers } = await theServer(t, { approval: 'always' })
  const model = aModel()
  model.next.push(calls('sky__get_weather', '{"city":'), says('I could not.'))
  t.is(textIn(await answerOf(model, { toolServers })), 'I could not.')
  t.like(model.asked[1]!.turns.at(-1), { kind: 'returned', output: 'Error: the arguments are no JSON object.' })
})

const allowed = { id: 'request', label: 'sky', tool: 'get_weather', arguments: '{"city":"Pune"}' }

test('what was allowed is called before the model is asked, which reads what came of it', async (t) => {
  const { server, toolServers } = await theServer(t, { approval: 'always' })
  const model = aModel()
  const parts = await answerOf(model, { toolServers, approved: [allowed] })
  t.deepEqual(parts.slice(0, 2), [
    { kind: 'approved', id: 'request' },
    { kind: 'approved', id: 'request', output: 'It is sunny in Pune.' },
  ])
  t.deepEqual(server.calls, ['get_weather Pune'])
  t.like(model.asked[0]!.turns.at(-2), { kind: 'called', callId: 'request', name: 'sky__get_weather' })
  t.like(model.asked[0]!.turns.at(-1), { kind: 'returned', output: 'It is sunny in Pune.' })
})

test('what was allowed of a server that is not there any more is not called', async (t) => {
  const { server, toolServers } = await theServer(t, { allowed: ['broken'] })
  for (const servers of [[], toolServers]) {
    const parts = await answerOf(aModel(), { toolServers: servers, approved: [allowed] })
    t.like(parts[1], { output: 'Error: there is no such tool any more.' })
  }
  t.deepEqual(server.calls, [])
})

import test from 'ava'
import type { ExecutionContext } from 'ava'

import type { AnswerPart, AnswerRequest } from '../../actors/conversation/ports.ts'
import { chatModel } from '../../infra/llm/chat-completions.ts'
import { aChatServer, chatChunk, failsChat, streamsChat } from '../support/chat-server.ts'
import type { ChatAnswer } from '../support/chat-server.ts'
import { aLog } from '../support/log.ts'
import { failureOf } from '../support/tokens.ts'

/** More than any machine takes. */
const patient = { beginWithinMs: 60_000, timeoutMs: 30_000 }

async function anEndpoint(t: ExecutionContext, ...answers: ChatAnswer[]) {
  return anImpatient(t, patient, ...answers)
}

async function anImpatient(t: ExecutionContext, patience: typeof patient, ...answers: ChatAnswer[]) {
  const { asked, baseUrl } = await aChatServer(t, ...answers)
  const log = aLog()
  const model = chatModel({
    baseUrl,
    model: 'test-model',
    apiKey: 'secret',
    ...patience,
    retries: 2,
    log,
  })
  return { asked, model, log }
}

const hello = streamsChat(
  chatChunk({ role: 'assistant', content: '' }),
  chatChunk({ content: 'Hel' }),
  chatChunk({ content: 'lo' }, { finish_reason: 'stop' }),
  `data: {"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":2,"prompt_tokens_details":{"cached_tokens":4}}}\n\ndata: [DONE]\n\n`,
)

const question: AnswerRequest = {
  instructions: 'Be kind.',
  turns: [{ kind: 'said', by: 'user', text: 'Hi' }],
  tools: [],
  toolChoice: 'auto',
}

async function collect(answer: AsyncIterable<AnswerPart>): Promise<AnswerPart[]> {
  const parts: AnswerPart[] = []
  for await (const part of answer) parts.push(part)
  return parts
}

const going = (): AbortSignal => new AbortController().signal

test('a streamed answer comes as text, usage and an end', async (t) => {
  const { asked, model } = await anEndpoint(t, hello)
  t.deepEqual(await collect(model.answer(question, going())), [
    { kind: 'text', delta: 'Hel' },
    { kind: 'text', delta: 'lo' },
    { kind: 'usage', inputTokens: 9, outputTokens: 2, cachedTokens: 4 },
    { kind: 'end', reason: 'stop' },
  ])
  t.is(asked[0]?.headers.authorization, 'Bearer secret')
  t.like(asked[0]?.body, {
    model: 'test-model',
    stream: true,
    messages: [
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: 'Hi' },
    ],
  })
  t.false('tools' in asked[0]!.body)
})

test('tool calls come with their names once and their arguments in pieces', async (t) => {
  const call = (index: number, more: object): object => ({ tool_calls: [{ index, ...more }] })
  const { asked, model } = await anEndpoint(
    t,
    streamsChat(
      chatChunk(call(0, { id: 'a', function: { name: 'one', arguments: '' } })),
      chatChunk(call(0, { function: { arguments: '{"x"' } })),
      chatChunk(call(0, { function: { arguments: ':1}' } })),
      chatChunk(call(1, { id: 'b', function: { name: 'two', arguments: '{}' } })),
      chatChunk({}, { finish_reason: 'tool_calls' }),
      'data: [DONE]\n\n',
    ),
  )
  const tools = [{ name: 'one', description: '', parameters: { type: 'object' } }]
  const parts = await collect(model.answer({ ...question, tools, toolChoice: { name: 'one' } }, going()))
  t.deepEqual(parts, [
    { kind: 'call', callId: 'a', name: 'one' },
    { kind: 'arguments', callId: 'a', delta: '{"x"' },
    { kind: 'arguments', callId: 'a', delta: ':1}' },
    { kind: 'call', callId: 'b', name: 'two' },
    { kind: 'arguments', callId: 'b', delta: '{}' },
    { kind: 'end', reason: 'stop' },
  ])
  t.deepEqual(asked[0]?.body.tool_choice, { type: 'function', function: { name: 'one' } })
})

test('calls and results are told as pairs; one without the other is left out', async (t) => {
  const { asked, model } = await anEndpoint(t, hello)
  const called = (callId: string) => ({ kind: 'called', callId, name: 'f', arguments: '{}' }) as const
  const returned = (callId: string) => ({ kind: 'returned', callId, output: callId }) as const
  const turns = [called('a'), called('b'), called('lost'), returned('a'), returned('b'), returned('orphan')]
  await collect(model.answer({ ...question, instructions: '', turns }, going()))
  const messages = asked[0]!.body.messages as { role: string; tool_calls?: { id: string }[]; tool_call_id?: string }[]
  t.deepEqual(
    messages.map(({ role }) => role),
    ['assistant', 'tool', 'tool'],
  )
  t.deepEqual(
    messages[0]?.tool_calls?.map(({ id }) => id),
    ['a', 'b'],
  )
})

test('an endpoint that is busy is asked again, and one that refuses is not', async (t) => {
  const busy = await anEndpoint(t, failsChat(503), failsChat(429), hello)
  t.is((await collect(busy.model.answer(question, going()))).length, 4)
  t.is(busy.asked.length, 3)
  const refusing = await anEndpoint(t, failsChat(401))
  const failure = await failureOf(t, collect(refusing.model.answer(question, going())))
  t.like(failure, { kind: 'terminal', code: 'remote_refused' })
  t.is(refusing.asked.length, 1)
})

test('after the retries are used up the failure is retryable and names the endpoint’s status', async (t) => {
  const { asked, model } = await anEndpoint(t, failsChat(500))
  const failure = await failureOf(t, collect(model.answer(question, going())))
  t.like(failure, {
    kind: 'retryable',
    code: 'remote_unavailable',
    detail: 'The conversation model answered with status 500.',
  })
  t.is(asked.length, 3)
})

const says =
  (status: number, body: object): ChatAnswer =>
  (response) =>
    void response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))

test('what a model thinks aloud is not said, wherever its pieces end', async (t) => {
  const words = '<think>The user greets.\nI greet back.</think>\n\nनमस्ते! 3 < 4, <b>ok</b>'
  for (const size of [1, 2, 3, 5, 8, 100]) {
    const pieces = Array.from({ length: Math.ceil(words.length / size) }, (_, at) =>
      chatChunk({ content: words.slice(at * size, (at + 1) * size), reasoning_content: 'hidden' }),
    )
    const { model } = await anEndpoint(t, streamsChat(...pieces, chatChunk({}, { finish_reason: 'stop' })))
    const parts = await collect(model.answer(question, going()))
    t.is(parts.map((part) => (part.kind === 'text' ? part.delta : '')).join(''), 'नमस्ते! 3 < 4, <b>ok</b>')
  }
})

test('an answer that ends with the beginning of a mark is said whole, and a thought that never ends is not', async (t) => {
  for (const [words, said] of [
    ['a <th', 'a <th'],
    ['<think>hm', ''],
  ] as const) {
    const { model } = await anEndpoint(t, streamsChat(chatChunk({ content: words }, { finish_reason: 'stop' })))
    const parts = await collect(model.answer(question, going()))
    t.is(parts.map((part) => (part.kind === 'text' ? part.delta : '')).join(''), said)
  }
})

test('a field that a model does not take is left out or renamed at once, and from then on', async (t) => {
  const { asked, model } = await anEndpoint(
    t,
    says(400, {
      error: { message: "Unsupported parameter: 'max_tokens' is not supported. Use 'max_completion_tokens' instead." },
    }),
    says(400, { error: { message: "'temperature' does not support 0.4 with this model." } }),
    hello,
  )
  const bounded = { ...question, tokensMax: 9, temperature: 0.4 }
  t.is((await collect(model.answer(bounded, going()))).length, 4)
  await collect(model.answer(bounded, going()))
  t.is(asked.length, 4)
  t.like(asked[0]?.body, { max_tokens: 9, temperature: 0.4 })
  for (const { body } of asked.slice(2)) {
    t.is(body.max_completion_tokens, 9)
    t.false('max_tokens' in body || 'temperature' in body)
  }
})

test('why an endpoint refuses is told in its own words on one line, and of keys to the log alone', async (t) => {
  const { model, log } = await anEndpoint(t, says(404, { error: { message: 'The model `x`\ndoes not exist.' } }))
  t.like(await failureOf(t, collect(model.answer(question, going()))), {
    code: 'remote_refused',
    detail:
      'The conversation model answered with status 404: The model `x` does not exist. The operator should look at LLM_BASE_URL, LLM_MODEL and LLM_API_KEY.',
  })
  t.like(log.lines[0], { level: 'warn', facts: { status: 404, reason: 'The model `x` does not exist.' } })
  const closed = await anEndpoint(t, says(401, { error: { message: 'Incorrect key sk-1234' } }))
  const failure = await failureOf(t, collect(closed.model.answer(question, going())))
  t.notRegex(JSON.stringify(failure), /sk-1234/)
  t.like(closed.log.lines[0], { facts: { reason: 'Incorrect key sk-1234' } })
})

test('a caller waits no longer for the beginning of an answer than is set, however often it is asked', async (t) => {
  const { asked, model } = await anImpatient(
    t,
    { ...patient, beginWithinMs: 9_000 },
    failsChat(503, { 'Retry-After': '10' }),
  )
  t.is((await failureOf(t, collect(model.answer(question, going())))).code, 'remote_unavailable')
  t.is(asked.length, 1)
})

test('an answer that has begun and breaks off is not asked for again', async (t) => {
  const { asked, model } = await anEndpoint(t, streamsChat(chatChunk({ content: 'Hel' })))
  t.is((await failureOf(t, collect(model.answer(question, going())))).code, 'remote_unavailable')
  t.is(asked.length, 1)
})

test('an endpoint that is silent for too long is left', async (t) => {
  const { model } = await anImpatient(t, { ...patient, timeoutMs: 500 }, (response) => {
    response.writeHead(200).write(chatChunk({ content: 'Hel' }))
  })
  const failure = await failureOf(t, collect(model.answer(question, going())))
  t.like(failure, { kind: 'retryable', detail: 'The conversation model was silent for 500 ms.' })
})

test('an aborted question ends with the reason of its signal, at the endpoint too', async (t) => {
  let gone: () => void = () => undefined
  const left = new Promise<void>((resolve) => (gone = resolve))
  const { model } = await anEndpoint(t, (response) => {
    response.once('close', gone)
    response.writeHead(200).write(chatChunk({ content: 'Hel' }))
  })
  const stopping = new AbortController()
  const answer = model.answer(question, stopping.signal)[Symbol.asyncIterator]()
  await answer.next()
  stopping.abort(new Error('interrupted'))
  await t.throwsAsync(answer.next(), { message: 'interrupted' })
  await left
})

test('what is no chat completion is refused, and a length or a filter is told', async (t) => {
  for (const odd of ['data: <html>\n\n', `data: ${'x'.repeat(1_000_001)}`]) {
    const { model } = await anEndpoint(t, streamsChat(odd))
    t.is((await failureOf(t, collect(model.answer(question, going())))).code, 'remote_refused')
  }
  for (const [finish, reason] of [
    ['length', 'length'],
    ['content_filter', 'filtered'],
  ] as const) {
    const { model } = await anEndpoint(t, streamsChat(chatChunk({ content: 'x' }, { finish_reason: finish })))
    t.deepEqual((await collect(model.answer(question, going()))).at(-1), { kind: 'end', reason })
  }
})

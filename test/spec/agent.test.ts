import test from 'ava'

import type { AnswerPart, AnswerRequest, ConversationTurn, ToolDefinition } from '../../actors/conversation/ports.ts'
import { createAgent } from '../../infra/agent/agent.ts'
import { aManualClock } from '../support/manual-clock.ts'

/** A Thursday. */
const clock = aManualClock(Date.UTC(2026, 0, 1, 9, 30))
let ids = 0
const agent = createAgent({ clock, newId: (prefix) => `${prefix}_${(ids += 1)}` })

const weather: ToolDefinition = {
  name: 'get_weather',
  description: 'Get the current weather in a city.',
  parameters: {
    type: 'object',
    properties: {
      city: { type: 'string', description: 'The city' },
      unit: { type: 'string', enum: ['celsius', 'fahrenheit'] },
    },
    required: ['city'],
  },
}
const booking: ToolDefinition = {
  name: 'bookTable',
  description: 'Book a table in the restaurant',
  parameters: {
    type: 'object',
    properties: {
      people: { type: 'integer', description: 'How many people' },
      date: { type: 'string', format: 'date' },
      time: { type: 'string', description: 'When, as HH:MM' },
      seating: { type: 'string', enum: ['inside', 'outside'] },
    },
    required: ['people', 'date'],
  },
}
const lights: ToolDefinition = {
  name: 'set_light',
  description: 'Switch a light on or off',
  parameters: { type: 'object', properties: { state: { type: 'string', enum: ['on', 'off'] } }, required: ['state'] },
}
const tools = [weather, booking, lights]

const said = (text: string, language?: string): ConversationTurn => ({
  kind: 'said',
  by: 'user',
  text,
  ...(language !== undefined && { language }),
})

async function answerTo(request: Partial<AnswerRequest>): Promise<{
  text: string
  call?: { name: string; arguments: unknown }
  parts: AnswerPart[]
}> {
  const parts: AnswerPart[] = []
  const whole: AnswerRequest = { instructions: '', turns: [], tools: [], toolChoice: 'auto', ...request }
  for await (const part of agent.answer(whole, new AbortController().signal)) parts.push(part)
  const text = parts.map((part) => (part.kind === 'text' ? part.delta : '')).join('')
  const call = parts.find((part) => part.kind === 'call')
  if (!call) return { text, parts }
  const written = parts.map((part) => (part.kind === 'arguments' ? part.delta : '')).join('')
  return { text, parts, call: { name: call.name, arguments: JSON.parse(written) } }
}

const scripts: readonly [said: string, letters: RegExp][] = [
  ['Hello there', /^Hello! I am Vaak/],
  ['नमस्ते', /^नमस्ते! मैं Vaak/],
  ['namaste, aap kaise ho', /^Namaste! Main Vaak/],
  ['வணக்கம்', /^வணக்கம்! நான் Vaak/],
  ['Who are you?', /no language model/],
  ['तुम कौन हो', /भाषा मॉडल नहीं/],
  ['What time is it?', /09:30/],
  ['धन्यवाद', /स्वागत/],
]
for (const [text, expected] of scripts)
  test(`"${text}" is answered in its own language`, async (t) => {
    t.regex((await answerTo({ turns: [said(text)] })).text, expected)
  })

test('a conversation that nobody began is begun with a greeting', async (t) => {
  t.regex((await answerTo({})).text, /^Hello! I am Vaak/)
})

test('what it cannot answer it repeats, and says that it is only the built-in assistant', async (t) => {
  t.regex(
    (await answerTo({ turns: [said('The moon is made of cheese.')] })).text,
    /The moon is made of cheese\. I am only the built-in/,
  )
})

const orders: readonly [instructions: string, said: string, expected: RegExp][] = [
  ['Always answer in Hindi.', 'Hello', /^नमस्ते/],
  ['Please respond only in Tamil', 'Hello', /^வணக்கம்/],
  ['Your name is Asha.', 'Who are you?', /^I am Asha/],
  ['Greet the user with "Welcome to the shop!"', 'hello', /^Welcome to the shop!$/],
  ['Say exactly "Testing one two".', 'anything', /^Testing one two$/],
]
for (const [instructions, text, expected] of orders)
  test(`it keeps to: ${instructions}`, async (t) => {
    t.regex((await answerTo({ instructions, turns: [said(text)] })).text, expected)
  })

const settings: readonly [said: string, name: string, values: object][] = [
  ["What's the weather in Mumbai?", 'get_weather', { city: 'Mumbai' }],
  ['Tell me the weather in Springfield in fahrenheit', 'get_weather', { city: 'Springfield', unit: 'fahrenheit' }],
  ['दिल्ली में मौसम कैसा है', 'get_weather', { city: 'Delhi' }],
  ['chennai mein mausam kaisa hai', 'get_weather', { city: 'Chennai' }],
  ['சென்னையில் வானிலை எப்படி', 'get_weather', { city: 'Chennai' }],
  [
    'Book a table for four people tomorrow at 7 pm outside',
    'bookTable',
    { people: 4, date: '2026-01-02', time: '19:00', seating: 'outside' },
  ],
  ['book a table for 12 people on 15 August', 'bookTable', { people: 12, date: '2026-08-15' }],
  ['तीन लोगों के लिए कल टेबल बुक करो', 'bookTable', { people: 3, date: '2026-01-02' }],
  ['Book a table for two on Monday', 'bookTable', { people: 2, date: '2026-01-05' }],
  ['Turn the light off', 'set_light', { state: 'off' }],
  ['लाइट चालू करो', 'set_light', { state: 'on' }],
]
for (const [text, name, values] of settings)
  test(`"${text}" calls ${name} with ${JSON.stringify(values)}`, async (t) => {
    t.deepEqual((await answerTo({ turns: [said(text)], tools })).call, { name, arguments: values })
  })

test('a tool that lacks something required is not called; the agent asks for it', async (t) => {
  const { text, call } = await answerTo({ turns: [said('What is the weather like?')], tools })
  t.is(call, undefined)
  t.is(text, 'Please tell me: the city.')
})

test('talk that asks for nothing calls nothing', async (t) => {
  for (const text of ['Hello, how are you?', 'I like my new phone', 'मुझे नींद आ रही है'])
    t.is((await answerTo({ turns: [said(text)], tools })).call, undefined, text)
})

test('tool_choice is honoured: none calls nothing, required calls something, a name calls that', async (t) => {
  const turns = [said('What is the weather in Pune?')]
  t.is((await answerTo({ turns, tools, toolChoice: 'none' })).call, undefined)
  t.is((await answerTo({ turns: [said('hm')], tools: [lights], toolChoice: 'required' })).call?.name, 'set_light')
  const forced = await answerTo({ turns, tools, toolChoice: { name: 'bookTable' } })
  t.deepEqual(forced.call, { name: 'bookTable', arguments: { people: 0, date: '' } })
})

test('after a tool gave its result, the result is spoken in the language of the question', async (t) => {
  const turns: ConversationTurn[] = [
    said('दिल्ली में मौसम कैसा है'),
    { kind: 'called', callId: 'c', name: 'get_weather', arguments: '{"city":"Delhi"}' },
    { kind: 'returned', callId: 'c', output: '{"temperature":31,"condition":"धूप"}' },
  ]
  const { text, call } = await answerTo({ turns, tools })
  t.is(text, 'यह रहा परिणाम: temperature 31, condition धूप।')
  t.is(call, undefined)
  const failed: ConversationTurn[] = [
    ...turns.slice(0, 2),
    { kind: 'returned', callId: 'c', output: '{"error":"no such city"}' },
  ]
  t.regex((await answerTo({ turns: failed })).text, /no such city/)
})

test('an answer has its usage and its end, and the bound of tokens cuts it', async (t) => {
  const { parts } = await answerTo({ turns: [said('Hello')] })
  t.deepEqual(
    parts.slice(-2).map(({ kind }) => kind),
    ['usage', 'end'],
  )
  const cut = await answerTo({ turns: [said('Hello')], tokensMax: 3 })
  t.deepEqual(cut.parts.at(-1), { kind: 'end', reason: 'length' })
  t.true(cut.text.length <= 12)
})

test('an aborted question is not answered', async (t) => {
  const aborted = AbortSignal.abort(new Error('interrupted'))
  const request: AnswerRequest = { instructions: '', turns: [], tools: [], toolChoice: 'auto' }
  await t.throwsAsync(agent.answer(request, aborted)[Symbol.asyncIterator]().next(), { message: 'interrupted' })
})

test('a schema that is strange fills what it can and never throws', async (t) => {
  const strange = {
    name: 'odd_thing',
    description: 'odd',
    parameters: {
      type: 'object',
      properties: { a: { type: ['null', 'integer'] }, b: { items: { enum: ['x', 'y'] } }, c: 7 },
    },
  }
  t.is((await answerTo({ turns: [said('odd 5 y')], tools: [strange as never] })).call?.name, 'odd_thing') // as: what a client may send
})

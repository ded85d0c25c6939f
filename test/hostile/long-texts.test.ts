import test from 'ava'

import type { AnswerRequest } from '../../actors/conversation/ports.ts'
import { layOver } from '../../actors/edit/lay-over.ts'
import { editLimits, segmentEntry } from '../../actors/edit/state.ts'
import type { Entries } from '../../actors/edit/state.ts'
import { redactionKinds } from '../../actors/transcript/state.ts'
import { pronunciationRoutes } from '../../gateway/pronunciations/routes.ts'
import { createAgent } from '../../infra/agent/agent.ts'
import { writing } from '../../infra/speech/formats/writing.ts'
import { marksIn } from '../../infra/speech/punctuation/marks.ts'
import { redact } from '../../infra/speech/redaction/redact.ts'
import { peel } from '../../infra/speech/text/script.ts'
import { defaultSessionLimits } from '../../realtime/session/limits.ts'
import { aManualClock } from '../support/manual-clock.ts'
import { aToldTranscript } from '../support/told-transcripts.ts'

/** What users may send is long, and made so that whoever tries from each letter anew tries for minutes, while nobody else is served. */

/** Of the processor: in one pass each takes a few milliseconds, and otherwise many seconds. */
const budgetMs = 1_500

async function cpuMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

test('how a word is spoken is looked at once, however long it is', async (t) => {
  const [, put] = pronunciationRoutes({
    listOf: () => Promise.resolve([]),
    replaceAll: () => Promise.resolve(),
    pronounceFor: () => Promise.resolve(undefined),
  })
  const spoken = `${'a'.repeat(60_000)}\u0001`
  const tookMs = await cpuMs(() => t.false(put!.body!.schema.safeParse({ pronunciations: [{ word: 'a', spoken }] }).success)) // prettier-ignore
  t.true(tookMs < budgetMs, `it took ${tookMs} ms`)
})

test('words of many marks are peeled in one pass', async (t) => {
  const words = ['=', '।', '"', '.'].map((mark) => `a${mark.repeat(40_000)}a`)
  const tookMs = await cpuMs(() => {
    for (const word of words) t.deepEqual([peel(word).core, marksIn(word).bare], [word, word])
  })
  t.true(tookMs < budgetMs, `it took ${tookMs} ms`)
})

test('a transcript that was edited into words of many marks is read at once', async (t) => {
  const told = aToldTranscript({ text: 'one' })
  const segments = Array.from({ length: 50 }, () => told.result.segments[0]!)
  const word = `a${'।'.repeat(editLimits.text - 2)}a`
  const entries: Entries = Object.fromEntries(
    segments.map((_, at) => [segmentEntry(at), { type: 'segment', words: [[word, 0, 1, 'hi']] }]),
  )
  const tookMs = await cpuMs(() => layOver({ ...told, result: { ...told.result, segments } }, entries, writing))
  t.true(tookMs < budgetMs, `it took ${tookMs} ms`)
})

test('what is taken out of a transcript is looked for in one pass, whatever words are said again and again', async (t) => {
  const said = aToldTranscript({ text: 'double '.repeat(8_000).trim() })
  const tookMs = await cpuMs(() => t.is(redact(said, redactionKinds), said))
  t.true(tookMs < budgetMs, `it took ${tookMs} ms`)
})

const { instructionCharacters, itemCharacters, toolCharacters } = defaultSessionLimits
const text = { type: 'string' }
const tool = (properties: object, required: readonly string[] = []) => ({
  name: 'do_it',
  description: 'Do it',
  parameters: { type: 'object', properties, required: [...required] },
})
const many = (property: object): object =>
  Object.fromEntries(Array.from({ length: toolCharacters / 50 }, (_, at) => [`p${at}`, property]))
const asked: Readonly<Record<string, Partial<AnswerRequest> & { readonly said?: string }>> = {
  'instructions without a space': { instructions: 'अ'.repeat(instructionCharacters) },
  'a word without an end': { said: 'क'.repeat(itemCharacters), tools: [tool({ city: text }, ['city'])] },
  'an address without an end': { said: 'a'.repeat(itemCharacters), tools: [tool({ email: text }, ['email'])] },
  'hours without an end': { said: '1 '.repeat(itemCharacters / 2), tools: [tool({ time: text }, ['time'])] },
  'spaces without an end': {
    said: `do${' '.repeat(itemCharacters - 3)}x`,
    tools: [tool({ list: { type: 'array' } }, ['list'])],
  },
  'dots without an end': { said: `${'.'.repeat(itemCharacters - 1)}x` },
  'spaces that the bound of tokens cuts': { said: `x${' '.repeat(itemCharacters - 2)}x`, tokensMax: 10_000 },
  'a tool with many properties': {
    said: 'do it '.repeat(itemCharacters / 6),
    tools: [tool(many({ type: 'boolean' }))],
  },
  'a tool with many values': {
    said: 'do it '.repeat(itemCharacters / 6),
    tools: [tool({ list: { type: 'array', items: { enum: Object.keys(many({})) } } }, ['list'])],
  },
}
for (const [what, { said, ...request }] of Object.entries(asked))
  test(`the built-in agent answers to ${what} in a moment`, async (t) => {
    const agent = createAgent({ clock: aManualClock(), newId: (prefix) => prefix })
    const turns = said === undefined ? [] : [{ kind: 'said', by: 'user', text: said } as const]
    const whole: AnswerRequest = { instructions: '', tools: [], toolChoice: 'required', turns, ...request }
    const parts: string[] = []
    const tookMs = await cpuMs(async () => {
      for await (const { kind } of agent.answer(whole, new AbortController().signal)) parts.push(kind)
    })
    t.is(parts.at(-1), 'end')
    t.true(tookMs < budgetMs, `it took ${tookMs} ms`)
  })

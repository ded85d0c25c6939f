import type { AnswerPart, AnswerRequest, ConversationModel, ConversationTurn } from '../../actors/conversation/ports.ts'
import type { Clock } from '../../actors/ports.ts'
import { chooseTool, demanded } from './choose-tool.ts'
import type { ChosenTool } from './choose-tool.ts'
import { readOrders } from './instructions.ts'
import type { Orders } from './instructions.ts'
import { languageOf } from './language.ts'
import type { AgentLanguage } from './language.ts'
import { say } from './phrases.ts'
import { speakResult } from './result.ts'

interface AgentOptions {
  readonly clock: Pick<Clock, 'nowMs'>
  newId(prefix: string): string
}

const agentName = 'Vaak'
const dayMs = 86_400_000
/** Roughly what tokenizers make of a text. */
const charactersPerToken = 4
const argumentsPiece = 32
/** Of what was said, in which tools and their arguments are looked for: minutes of talk. */
const searchedCharacters = 4_000

type Reply =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'call'; readonly name: string; readonly arguments: string }

/** Answers without a language model: greets, tells what it is, and picks and fills tools. It says that it is no more. */
export function createAgent(options: AgentOptions): ConversationModel {
  return {
    async *answer(request, signal) {
      await Promise.resolve()
      signal.throwIfAborted()
      const reply = replyTo(request, options.clock.nowMs())
      if (reply.kind === 'call') yield* callParts(reply, options.newId('call'))
      else if (yield* textParts(reply.text, request.tokensMax)) {
        yield usageOf(request, reply)
        yield { kind: 'end', reason: 'length' }
        return
      }
      yield usageOf(request, reply)
      yield { kind: 'end', reason: 'stop' }
    },
  }
}

function replyTo(request: AnswerRequest, nowMs: number): Reply {
  const orders = readOrders(request.instructions)
  const last = request.turns.at(-1)
  const said = lastSaid(request.turns)
  const language = orders.language ?? languageOf(said?.text ?? '', said?.language)
  if (last?.kind === 'returned') return text(speakResult(last.output, language))
  const chosen = toolFor(request, said?.text ?? '', nowMs)
  if (chosen && 'call' in chosen) return chosen.call
  if (orders.say !== undefined) return text(orders.say)
  if (chosen) return text(say('ask', language, { field: fieldOf(chosen.lacking) }))
  return text(smallTalk(said?.text, { orders, language, nowMs, isFirst: isFirst(request.turns) }))
}

function text(input: string): Reply {
  return { kind: 'text', text: input }
}

/** The tool to call, or the one that would be called if something more had been said. */
function toolFor(
  { tools, toolChoice }: AnswerRequest,
  said: string,
  nowMs: number,
): { call: Reply } | { lacking: ChosenTool } | undefined {
  if (toolChoice === 'none' || tools.length === 0) return undefined
  const must = toolChoice !== 'auto'
  const named = typeof toolChoice === 'object' ? tools.filter(({ name }) => name === toolChoice.name) : tools
  const chosen = chooseTool(said.slice(0, searchedCharacters), named, { todayMs: nowMs - (nowMs % dayMs), must })
  if (!chosen) return undefined
  if (!must && chosen.filled.missing.length > 0) return { lacking: chosen }
  return { call: { kind: 'call', name: chosen.tool.name, arguments: JSON.stringify(demanded(chosen)) } }
}

function fieldOf({ filled, schema }: ChosenTool): string {
  const [name = ''] = filled.missing
  return schema.properties?.[name]?.description?.replace(/\.$/, '').toLowerCase() ?? name
}

interface Mood {
  readonly orders: Orders
  readonly language: AgentLanguage
  readonly nowMs: number
  readonly isFirst: boolean
}

const greetings =
  /^\W*(?:hello|hi|hey|namaste|namaskar|vanakkam|good (?:morning|evening|afternoon)|नमस्ते|नमस्कार|हेलो|हैलो|வணக்கம்)/iu
const whoAreYou =
  /who are you|what are you|your name|what can you do|कौन हो|कौन हैं|नाम क्या|क्या कर सकते|kaun ho|naam kya|kya kar sakte|யார் நீ|நீங்கள் யார்|உங்கள் பெயர்/iu
const thanks = /\b(?:thank|thanks|dhanyavaad|shukriya)|धन्यवाद|शुक्रिया|நன்றி/iu
const goodbye = /\b(?:bye|goodbye|alvida)\b|अलविदा|போய் வருகிறேன்/iu
const whatTime = /what(?:'s| is)? (?:the )?time|time is it|कितने बजे|समय क्या|kitne baje|time kya|நேரம் என்ன|மணி என்ன/iu

function smallTalk(said: string | undefined, mood: Mood): string {
  const { orders, language } = mood
  const name = orders.name ?? agentName
  if (said === undefined) return orders.greeting ?? say('greeting', language, { name })
  if (said.trim() === '') return say('unheard', language)
  if (whoAreYou.test(said)) return say('identity', language, { name })
  if (whatTime.test(said)) return say('time', language, { time: new Date(mood.nowMs).toISOString().slice(11, 16) })
  if (thanks.test(said)) return say('thanks', language)
  if (goodbye.test(said)) return say('goodbye', language)
  if (greetings.test(said)) return orders.greeting ?? say('greeting', language, { name })
  const heard = said.trim().replace(/(?<![.?!।])[.?!।]+$/, '')
  return say(orders.isBrief || !mood.isFirst ? 'heardBriefly' : 'heard', language, { text: heard })
}

function lastSaid(turns: readonly ConversationTurn[]): { text: string; language?: string } | undefined {
  return turns.findLast((turn) => turn.kind === 'said' && turn.by === 'user') as
    | { text: string; language?: string }
    | undefined // as: only turns that were said are found
}

/** Nothing was answered yet. */
function isFirst(turns: readonly ConversationTurn[]): boolean {
  return !turns.some((turn) => turn.kind === 'said' && turn.by === 'assistant')
}

/** Word by word, as models stream; true when the bound of tokens cut it. */
function* textParts(whole: string, tokensMax: number | undefined): Generator<AnswerPart, boolean> {
  const charactersMax = tokensMax === undefined ? Infinity : tokensMax * charactersPerToken
  const kept = whole.slice(0, Math.min(whole.length, charactersMax))
  for (const delta of kept.trimEnd().match(/\s*\S+/g) ?? []) yield { kind: 'text', delta }
  return kept.length < whole.length
}

function* callParts(call: Extract<Reply, { kind: 'call' }>, callId: string): Generator<AnswerPart, void> {
  yield { kind: 'call', callId, name: call.name }
  for (let at = 0; at < call.arguments.length; at += argumentsPiece)
    yield { kind: 'arguments', callId, delta: call.arguments.slice(at, at + argumentsPiece) }
}

function usageOf({ instructions, turns, tools }: AnswerRequest, reply: Reply): AnswerPart {
  const read = instructions.length + JSON.stringify(turns).length + JSON.stringify(tools).length
  const written = reply.kind === 'text' ? reply.text.length : reply.arguments.length + reply.name.length
  return {
    kind: 'usage',
    inputTokens: Math.ceil(read / charactersPerToken),
    outputTokens: Math.ceil(written / charactersPerToken),
    cachedTokens: 0,
  }
}

import { toolServerFunction } from '../../actors/conversation/ports.ts'
import type {
  AnswerPart,
  AnswerRequest,
  ApprovedCall,
  ConversationModel,
  ConversationTurn,
  ToolServer,
} from '../../actors/conversation/ports.ts'
import type { Clock, Log } from '../../actors/ports.ts'
import { needsApproval } from './approval.ts'
import { connectTools } from './tool-connection.ts'
import type { ToolConnectionLimits } from './tool-connection.ts'
import { openToolLists } from './tool-lists.ts'
import type { RemoteTools } from './tool-lists.ts'

interface ToolServerPorts {
  readonly timeoutMs: number
  readonly clock: Clock
  readonly log: Log
}

const limits: Omit<ToolConnectionLimits, 'timeoutMs'> = {
  bytes: 4 * 1024 * 1024,
  toolsPerServer: 64,
  descriptionCharacters: 1_000,
  parameterCharacters: 8_000,
  resultCharacters: 20_000,
}
/** How often an answer may ask tool servers, and for how much at a time, before it has to be given. */
const roundsMax = 5
const callsPerRound = 8
const argumentCharacters = 100_000

/**
 * A model whose tools on other servers are called here, on the way to its answer: the session hears the answer only. The
 * model is asked again with what they returned, until it calls none of them.
 */
export function withToolServers(model: ConversationModel, ports: ToolServerPorts): ConversationModel {
  const bounds = { ...limits, timeoutMs: ports.timeoutMs }
  const toolsOf = openToolLists({ limits: bounds, clock: ports.clock, log: ports.log })
  return {
    async *answer({ toolServers = [], approved = [], ...given }, signal) {
      const call = caller(bounds, { ...ports, signal })
      const request = { ...given, turns: [...given.turns, ...(yield* approvedTurns(approved, { toolServers, call }))] }
      if (toolServers.length === 0 || request.toolChoice === 'none') return yield* model.answer(request, signal)
      const remote = await toolsOf(toolServers, signal)
      yield* answerInRounds(
        { ...request, tools: [...request.tools, ...remote.definitions] },
        { model, remote, signal, call },
      )
    },
  }
}

/** What the client has allowed is called first, one after the other, and no more at a time than in any round. */
async function* approvedTurns(
  approved: readonly ApprovedCall[],
  { toolServers, call }: { readonly toolServers: readonly ToolServer[]; readonly call: Runs['call'] },
): AsyncGenerator<AnswerPart, ConversationTurn[]> {
  const turns: ConversationTurn[] = []
  for (const { id, label, tool, arguments: input } of approved.slice(0, callsPerRound)) {
    const name = toolServerFunction(label, tool)
    const server = toolServers.find((one) => one.label === label && (one.allowed?.includes(tool) ?? true))
    yield { kind: 'approved', id }
    const output = server ? await call({ server, tool, name, input }) : 'Error: there is no such tool any more.'
    yield { kind: 'approved', id, output }
    turns.push({ kind: 'called', callId: id, name, arguments: input }, { kind: 'returned', callId: id, output })
  }
  return turns
}

interface Runs {
  readonly model: ConversationModel
  readonly remote: RemoteTools
  readonly signal: AbortSignal
  readonly call: (wanted: WantedCall) => Promise<string>
}

interface WantedCall {
  readonly server: ToolServer
  readonly tool: string
  readonly name: string
  input: string
}

async function* answerInRounds(request: AnswerRequest, runs: Runs): AsyncGenerator<AnswerPart, void> {
  const used = { kind: 'usage' as const, inputTokens: 0, outputTokens: 0, cachedTokens: 0 }
  const turns = [...request.turns]
  let asked = request
  for (let round = 1; ; round += 1) {
    const wanted = new Map<string, WantedCall>()
    const heard = yield* oneRound(asked, { ...runs, wanted, used })
    const held = Array.from(wanted.values()).filter((call) => isHeld(call))
    for (const { server, tool, input } of held)
      yield { kind: 'approval', label: server.label, tool, arguments: input || '{}' }
    // what the client has to run or to allow ends the answer: nothing can be asked before it has
    if (wanted.size === 0 || heard.hasOwnCalls || held.length > 0) {
      yield used
      yield heard.end
      return
    }
    turns.push(...(await turnsAfter(heard.text, wanted, { call: runs.call, round })))
    // the tool that had to be called was called; after the last round none can be
    const isLast = round >= roundsMax
    asked = { ...request, turns: [...turns], toolChoice: isLast ? 'none' : 'auto', ...(isLast && { tools: [] }) }
  }
}

/** Nobody is asked about what could not be called anyway: the model is told why. */
function isHeld({ server, tool, input }: WantedCall): boolean {
  return needsApproval(server, tool) && objectIn(input) !== undefined
}

interface Round {
  readonly text: string
  readonly hasOwnCalls: boolean
  readonly end: AnswerPart
}

type RoundRuns = Runs & {
  readonly wanted: Map<string, WantedCall>
  readonly used: { inputTokens: number; outputTokens: number; cachedTokens: number }
}

async function* oneRound(request: AnswerRequest, runs: RoundRuns): AsyncGenerator<AnswerPart, Round> {
  const { wanted, used } = runs
  let text = ''
  let hasOwnCalls = false
  let end: AnswerPart = { kind: 'end', reason: 'stop' }
  for await (const part of runs.model.answer(request, runs.signal)) {
    const found = part.kind === 'call' ? runs.remote.find(part.name) : undefined
    if (part.kind === 'call' && found) {
      if (wanted.size < callsPerRound) wanted.set(part.callId, { ...found, name: part.name, input: '' })
    } else if (part.kind === 'arguments' && wanted.has(part.callId)) {
      const call = wanted.get(part.callId)!
      call.input = (call.input + part.delta).slice(0, argumentCharacters)
    } else if (part.kind === 'usage') {
      used.inputTokens += part.inputTokens
      used.outputTokens += part.outputTokens
      used.cachedTokens += part.cachedTokens
    } else if (part.kind === 'end') end = part
    else {
      if (part.kind === 'text') text += part.delta
      hasOwnCalls ||= part.kind === 'call'
      yield part
    }
  }
  return { text, hasOwnCalls, end }
}

async function turnsAfter(
  text: string,
  wanted: ReadonlyMap<string, WantedCall>,
  { call, round }: { readonly call: Runs['call']; readonly round: number },
): Promise<ConversationTurn[]> {
  // endpoints without ids of their own count from the beginning in every round
  const calls = Array.from(wanted, ([callId, one]) => ({ callId: `${callId}_${round}`, ...one }))
  const returned = await Promise.all(
    calls.map(async (one) => ({ kind: 'returned' as const, callId: one.callId, output: await call(one) })),
  )
  return [
    ...(text.trim() === '' ? [] : [{ kind: 'said' as const, by: 'assistant' as const, text }]),
    ...calls.map(({ callId, name, input }) => ({ kind: 'called' as const, callId, name, arguments: input || '{}' })),
    ...returned,
  ]
}

/** Whatever goes wrong is told to the model, which can say so. */
function caller(
  bounds: ToolConnectionLimits,
  { log, signal }: { readonly log: Log; readonly signal: AbortSignal },
): Runs['call'] {
  return async ({ server, tool, input }) => {
    const given = objectIn(input)
    if (!given) return 'Error: the arguments are no JSON object.'
    try {
      const connection = await connectTools(server, { limits: bounds, signal })
      try {
        return await connection.call(tool, given)
      } finally {
        await connection.close()
      }
    } catch (error) {
      signal.throwIfAborted()
      log.warn('tool server did not answer', { label: server.label, error })
      return 'Error: the tool did not answer.'
    }
  }
}

function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text || '{}')
    // as: an object of JSON has names and values
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}

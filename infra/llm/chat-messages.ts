import type { AnswerRequest, ConversationTurn, ToolChoice } from '../../actors/conversation/ports.ts'
import type { ChatDialect } from './dialect.ts'

/** A conversation in the form that chat-completion endpoints take. */
export function chatBody(
  request: AnswerRequest,
  { model, dialect }: { readonly model: string; readonly dialect: ChatDialect },
): object {
  const { instructions, turns, tools, toolChoice, tokensMax, temperature } = request
  const optional = {
    stream_options: { include_usage: true },
    ...(temperature !== undefined && { temperature }),
  }
  const taken = Object.entries(optional).filter(([name]) => !dialect.leavesOut.some((field) => field === name))
  return {
    model,
    stream: true,
    ...Object.fromEntries(taken),
    messages: [...(instructions === '' ? [] : [{ role: 'system', content: instructions }]), ...messagesOf(turns)],
    ...(tools.length > 0 &&
      toolChoice !== 'none' && {
        tools: tools.map((tool) => ({ type: 'function', function: tool })),
        tool_choice: choiceOf(toolChoice),
      }),
    ...(tokensMax !== undefined && { [dialect.tokensField]: tokensMax }),
  }
}

function choiceOf(choice: ToolChoice): unknown {
  return typeof choice === 'string' ? choice : { type: 'function', function: { name: choice.name } }
}

interface Message {
  readonly role: string
  readonly content: string | null
  readonly tool_calls?: unknown[]
  readonly tool_call_id?: string
}

/**
 * Calls that came together are one message, and each result names its call. Endpoints refuse a call without a result, and
 * a result without a call: the user interrupted it, or one of them was deleted. Those are left out.
 */
function messagesOf(turns: readonly ConversationTurn[]): Message[] {
  const answered = new Set(turns.flatMap((turn) => (turn.kind === 'returned' ? [turn.callId] : [])))
  const called = new Set<string>()
  const messages: Message[] = []
  for (const turn of turns) {
    if (turn.kind === 'said') messages.push({ role: turn.by, content: turn.text })
    if (turn.kind === 'returned' && called.has(turn.callId))
      messages.push({ role: 'tool', tool_call_id: turn.callId, content: turn.output })
    if (turn.kind !== 'called' || !answered.has(turn.callId)) continue
    called.add(turn.callId)
    const call = { id: turn.callId, type: 'function', function: { name: turn.name, arguments: turn.arguments } }
    const last = messages.at(-1)
    if (last?.tool_calls) last.tool_calls.push(call)
    else messages.push({ role: 'assistant', content: null, tool_calls: [call] })
  }
  return messages
}

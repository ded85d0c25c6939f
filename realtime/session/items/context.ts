import { toolServerFunction } from '../../../actors/conversation/ports.ts'
import type { ApprovedCall, ConversationTurn } from '../../../actors/conversation/ports.ts'
import type { Truncation } from '../settings/settings.ts'
import { itemText } from './items.ts'
import type { ApprovalRequest, ApprovalResponse, Item, ContentPart } from './items.ts'
import { playedText } from './spoken.ts'

/** What the conversation model reads: of what it said itself, only the words that were played. */
export function turnsOf(items: readonly Item[]): ConversationTurn[] {
  return items.flatMap((item): ConversationTurn[] => {
    if (item.type === 'function_call')
      return [{ kind: 'called', callId: item.callId, name: item.name, arguments: item.arguments || '{}' }]
    if (item.type === 'function_call_output') return [{ kind: 'returned', callId: item.callId, output: item.output }]
    if (item.type === 'mcp_call') return callTurns({ ...item, output: item.output ?? brokenOff })
    if (item.type === 'mcp_approval_response') return refusedTurns(item, items)
    if (item.type === 'mcp_approval_request') return []
    const text = item.parts.map(saidIn).filter(Boolean).join('\n')
    const language = item.parts.find((part) => part.type === 'input_audio')?.language
    return text === '' ? [] : [{ kind: 'said', by: item.role, text, ...(language === undefined ? {} : { language }) }]
  })
}

const brokenOff = 'Error: the call was broken off, and may have been made.'

/** What was allowed is read when it was called. */
function refusedTurns({ approve, requestId, reason }: ApprovalResponse, items: readonly Item[]): ConversationTurn[] {
  const request = requestIn(items, requestId)
  if (approve || !request) return []
  return callTurns({ ...request, output: `Error: the user did not allow this call. ${reason ?? ''}`.trim() })
}

function callTurns({
  id,
  label,
  tool,
  arguments: input,
  output,
}: ApprovedCall & { output: string }): ConversationTurn[] {
  return [
    { kind: 'called', callId: id, name: toolServerFunction(label, tool), arguments: input },
    { kind: 'returned', callId: id, output },
  ]
}

/** Calls that the client has allowed and nobody has begun. */
export function approvedCalls(items: readonly Item[]): ApprovedCall[] {
  return items.flatMap((item) => {
    if (item.type !== 'mcp_approval_response' || !item.approve || item.isUsed) return []
    const request = requestIn(items, item.requestId)
    if (!request) return []
    const { id, label, tool } = request
    return [{ id, label, tool, arguments: request.arguments }]
  })
}

function requestIn(items: readonly Item[], id: string): ApprovalRequest | undefined {
  return items.find((item): item is ApprovalRequest => item.type === 'mcp_approval_request' && item.id === id)
}

/** The newest turns that fit, or nothing when they do not and may not be cut. */
export function fitting(
  turns: readonly ConversationTurn[],
  charactersMax: number,
  truncation: Truncation,
): readonly ConversationTurn[] | undefined {
  const total = turns.reduce((sum, turn) => sum + lengthOf(turn), 0)
  if (total <= charactersMax) return turns
  if (truncation === 'disabled') return undefined
  const target = charactersMax * (typeof truncation === 'string' ? 1 : truncation.retention_ratio)
  let kept = total
  let from = 0
  while (from < turns.length - 1 && kept > target) {
    kept -= lengthOf(turns[from]!)
    from += 1
  }
  // a result without its call confuses every model
  while (turns[from]?.kind === 'returned' && from < turns.length - 1) from += 1
  return turns.slice(from)
}

function saidIn(part: ContentPart): string {
  return part.type === 'spoken' && part.spoken ? playedText(part.spoken) : itemText(part)
}

function lengthOf(turn: ConversationTurn): number {
  if (turn.kind === 'said') return turn.text.length
  return turn.kind === 'called' ? turn.name.length + turn.arguments.length : turn.output.length
}

import { findItem } from '../items/conversation.ts'
import type { ApprovalRequest, ApprovalResponse, Item, ServerCall } from '../items/items.ts'
import type { ResponseOutput } from '../protocol.ts'
import { responseUnderWay } from '../state.ts'
import type { ResponseUnderWay, SessionState } from '../state.ts'
import { insertItem, replaceItem } from './item-changes.ts'
import { endOpenItem, withResponse } from './response-items.ts'
import { inOrder, send, unchanged } from './step.ts'
import type { SessionDecision, SessionStep } from './step.ts'

type Output<Type extends ResponseOutput['type']> = Extract<ResponseOutput, { type: Type }>

/** The client is asked, by an item that is whole at once; its answer is an item too. */
export function approvalWanted(responseId: string, wanted: Output<'ApprovalWanted'>): SessionStep {
  const { itemId: id, label, tool, arguments: input } = wanted
  const item: ApprovalRequest = {
    type: 'mcp_approval_request',
    id,
    status: 'completed',
    label,
    tool,
    arguments: input,
  }
  return (state) =>
    inOrder(state, [endOpenItem(responseId, 'completed'), tellBegun(responseId, item), tellWhole(responseId, item)])
}

/** From now on nobody makes this call again. */
export function approvedCallBegan(
  state: SessionState,
  { id: responseId, output }: ResponseUnderWay,
  { itemId: id, requestId }: Output<'ApprovedCallBegan'>,
): SessionDecision {
  const request = findItem(state.conversation, requestId)
  if (request?.type !== 'mcp_approval_request') return unchanged(state)
  const { label, tool, arguments: input } = request
  const item: ServerCall = {
    type: 'mcp_call',
    id,
    status: 'in_progress',
    label,
    tool,
    arguments: input,
    requestId,
    output: null,
  }
  const given = approvalOf(state, requestId)
  return inOrder(state, [
    given ? replaceItem({ ...given, isUsed: true }) : unchanged,
    tellBegun(responseId, item),
    send({ type: 'response.mcp_call.in_progress', fields: { item_id: id, output_index: output.length } }),
  ])
}

export function approvedCallEnded(
  state: SessionState,
  { id: responseId, output: before }: ResponseUnderWay,
  { requestId, output }: Output<'ApprovedCallEnded'>,
): SessionDecision {
  const call = state.conversation.items.find((item) => item.type === 'mcp_call' && item.requestId === requestId)
  if (call?.type !== 'mcp_call') return unchanged(state)
  const type = output.startsWith('Error: ') ? 'response.mcp_call.failed' : 'response.mcp_call.completed'
  const item: ServerCall = { ...call, status: 'completed', output }
  return inOrder(state, [
    replaceItem(item),
    send({ type, fields: { item_id: call.id, output_index: before.length } }),
    tellWhole(responseId, item),
  ])
}

/** What the client said to a request, if anything. */
export function approvalOf({ conversation }: SessionState, requestId: string): ApprovalResponse | undefined {
  return conversation.items.find(
    (item): item is ApprovalResponse => item.type === 'mcp_approval_response' && item.requestId === requestId,
  )
}

function tellBegun(responseId: string, item: Item): SessionStep {
  return (state) => {
    const response = responseUnderWay(state, responseId)
    if (!response) return unchanged(state)
    const output_index = response.output.length
    return inOrder(state, [
      send({ type: 'response.output_item.added', response_id: responseId, output_index, item }),
      response.inConversation
        ? insertItem({ item }, (after) => [send({ type: 'conversation.item.added', item, after })])
        : unchanged,
    ])
  }
}

function tellWhole(responseId: string, item: Item): SessionStep {
  return (state) => {
    const response = responseUnderWay(state, responseId)
    if (!response) return unchanged(state)
    const { items } = state.conversation
    const after = items[items.findIndex(({ id }) => id === item.id) - 1]?.id ?? null
    const output_index = response.output.length
    return inOrder(state, [
      response.inConversation ? send({ type: 'conversation.item.done', item, after }) : unchanged,
      send({ type: 'response.output_item.done', response_id: responseId, output_index, item }),
      withResponse({ ...response, output: [...response.output, item] }),
    ])
  }
}

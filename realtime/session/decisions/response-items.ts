import type { ResponseView, ServerEvent } from '../../wire/server-events.ts'
import type { Call, Item, ItemStatus, MessageItem } from '../items/items.ts'
import { silentSamples } from '../items/spoken.ts'
import { responseUnderWay } from '../state.ts'
import type { OpenItem, ResponseUnderWay, SessionState } from '../state.ts'
import { endedItem } from './ended-items.ts'
import { insertItem, replaceItem } from './item-changes.ts'
import { inOrder, send, unchanged } from './step.ts'
import type { SessionDecision, SessionStep } from './step.ts'

/** The items of a response, told in the order that clients rely on. */
export function beginMessage(responseId: string, itemId: string, kind: 'text' | 'audio'): SessionStep {
  const item: MessageItem = { type: 'message', id: itemId, role: 'assistant', status: 'in_progress', parts: [] }
  const opened = (after: string | null): OpenItem =>
    kind === 'text' ? { kind, item, after, text: '' } : { kind, item, after, text: '', spoken: silentSamples }
  const part = kind === 'text' ? ({ type: 'text', text: '' } as const) : ({ type: 'audio', transcript: '' } as const)
  return (state) =>
    inOrder(state, [
      begin(responseId, item, opened),
      tellOpen(responseId, (response, open) => [
        { type: 'response.content_part.added', fields: { ...partPlace(response, open), part } },
      ]),
    ])
}

export function beginCall(responseId: string, call: Pick<Call, 'id' | 'callId' | 'name'>): SessionStep {
  const item: Call = { type: 'function_call', ...call, status: 'in_progress', arguments: '' }
  return begin(responseId, item, (after) => ({ kind: 'call', item, after, arguments: '' }))
}

export function addArguments(responseId: string, delta: string): SessionStep {
  return (state) => {
    const response = responseUnderWay(state, responseId)
    if (response?.open?.kind !== 'call' || delta === '') return unchanged(state)
    const open = { ...response.open, arguments: response.open.arguments + delta }
    const fields = { ...itemPlace(response, open), call_id: open.item.callId, delta }
    return inOrder(state, [
      withResponse({ ...response, open }),
      send({ type: 'response.function_call_arguments.delta', fields }),
    ])
  }
}

/** Ends the item that is open, if any. */
export function endOpenItem(responseId: string, status: ItemStatus): SessionStep {
  return (state) => {
    const open = responseUnderWay(state, responseId)?.open
    if (!open) return unchanged(state)
    // a client reads arguments from their deltas only
    const whole = open.kind === 'call' && open.arguments === '' ? addArguments(responseId, '{}') : unchanged
    return inOrder(state, [whole, (current) => endItem(current, responseId, status)])
  }
}

/** Puts the new form of a response that is under way in place of the old one. */
export function withResponse(response: ResponseUnderWay): SessionStep {
  return (state) => ({
    state: { ...state, responses: state.responses.map((one) => (one.id === response.id ? response : one)) },
    effects: [],
  })
}

export function responseView({ about }: SessionState, response: ResponseUnderWay): ResponseView {
  const { id, output, settings, metadata, inConversation } = response
  return {
    id,
    status: 'in_progress',
    details: null,
    output,
    conversationId: inConversation ? about.conversationId : null,
    settings,
    metadata,
    usage: null,
  }
}

export function partPlace(response: ResponseUnderWay, open: OpenItem) {
  return { ...itemPlace(response, open), content_index: 0 }
}

function itemPlace({ id, output }: ResponseUnderWay, { item }: OpenItem) {
  return { response_id: id, item_id: item.id, output_index: output.length }
}

function begin(responseId: string, item: Item, opened: (after: string | null) => OpenItem): SessionStep {
  return (state) =>
    inOrder(state, [
      endOpenItem(responseId, 'completed'),
      (current) => {
        const response = responseUnderWay(current, responseId)
        if (!response) return unchanged(current)
        const output_index = response.output.length
        const added = send({ type: 'response.output_item.added', response_id: responseId, output_index, item })
        const opens = (after: string | null) => withResponse({ ...response, open: opened(after) })
        if (!response.inConversation) return inOrder(current, [added, opens(null)])
        const inserted = insertItem({ item }, (after) => [
          send({ type: 'conversation.item.added', item, after }),
          opens(after),
        ])
        return inOrder(current, [added, inserted])
      },
    ])
}

function tellOpen(
  responseId: string,
  told: (response: ResponseUnderWay, open: OpenItem) => readonly ServerEvent[],
): SessionStep {
  return (state) => {
    const response = responseUnderWay(state, responseId)
    return response?.open ? send(...told(response, response.open))(state) : unchanged(state)
  }
}

function endItem(state: SessionState, responseId: string, status: ItemStatus): SessionDecision {
  const response = responseUnderWay(state, responseId)
  if (!response?.open) return unchanged(state)
  const { open, output, inConversation } = response
  const item = endedItem(open, status)
  const output_index = output.length
  // an item that was cut short is told by its response alone, as clients know it
  const isTold = inConversation && status === 'completed'
  return inOrder(state, [
    send(...contentDone(response, open)),
    inConversation ? replaceItem(item) : unchanged,
    isTold ? send({ type: 'conversation.item.done', item, after: open.after }) : unchanged,
    send({ type: 'response.output_item.done', response_id: responseId, output_index, item }),
    withResponse({ ...response, open: undefined, output: [...output, item] }),
  ])
}

function contentDone(response: ResponseUnderWay, open: OpenItem): ServerEvent[] {
  if (open.kind === 'call') {
    const { callId: call_id, name } = open.item
    const fields = { ...itemPlace(response, open), call_id, name, arguments: open.arguments }
    return [{ type: 'response.function_call_arguments.done', fields }]
  }
  const fields = partPlace(response, open)
  const { text } = open
  if (open.kind === 'text')
    return [
      { type: 'response.output_text.done', fields: { ...fields, text } },
      { type: 'response.content_part.done', fields: { ...fields, part: { type: 'text', text } } },
    ]
  return [
    { type: 'response.output_audio.done', fields },
    { type: 'response.output_audio_transcript.done', fields: { ...fields, transcript: text } },
    { type: 'response.content_part.done', fields: { ...fields, part: { type: 'audio', transcript: text } } },
  ]
}

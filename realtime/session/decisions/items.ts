import { refused, shortened } from '../../wire/refusal.ts'
import type { Refusal } from '../../wire/refusal.ts'
import { findItem, front, hasCall, withoutItem } from '../items/conversation.ts'
import type { Conversation } from '../items/conversation.ts'
import type { Item, MessageItem } from '../items/items.ts'
import type { SessionEvent } from '../protocol.ts'
import { activeResponse } from '../state.ts'
import type { ResponseUnderWay, SessionState } from '../state.ts'
import { approvalOf } from './approvals.ts'
import { forgetItem, insertItem, replaceItem } from './item-changes.ts'
import { withPlayed } from './playback.ts'
import { wantResponse } from './responses.ts'
import { change, doNow, inOrder, refuseWith, send, unchanged } from './step.ts'
import type { SessionDecision, SessionStep } from './step.ts'
import { noRoomToTranscribe, transcribe } from './transcriptions.ts'

type Event<Type extends SessionEvent['type']> = Extract<SessionEvent, { type: Type }>

export function addItem(state: SessionState, { item, clips, after, causedBy }: Event<'AddItem'>): SessionDecision {
  const refusal =
    complaintAbout(item, after, state.conversation) ??
    complaintAboutApproval(item, state) ??
    noRoomToTranscribe(state, clips.length)
  if (refusal) return refuseWith(refusal, causedBy)(state)
  return inOrder(state, [
    insertItem({ item, after }, (previous) => [
      send({ type: 'conversation.item.added', item, after: previous }),
      send({ type: 'conversation.item.done', item, after: previous }),
    ]),
    ...clips.flatMap(({ contentIndex, audio }): SessionStep[] => [
      doNow({ type: 'KeepAudio', itemId: item.id, audio }),
      transcribe({ itemId: item.id, contentIndex, audio, isTurn: false }),
    ]),
    item.type === 'mcp_approval_response' ? goOn(causedBy) : unchanged,
  ])
}

/** Whoever was asked whether a tool may be called waits for what comes of it; clients ask for no answer by themselves then. */
function goOn(causedBy: string | null): SessionStep {
  return (state) =>
    activeResponse(state)
      ? unchanged(state)
      : wantResponse({ wire: undefined, unlessSilent: undefined, causedBy })(state)
}

export function retrieveItem(state: SessionState, { itemId, causedBy }: Event<'RetrieveItem'>): SessionDecision {
  const item = findItem(state.conversation, itemId)
  if (!item) return refuseWith(missing('retriev', itemId), causedBy)(state)
  const { inputFormat, outputFormat } = state.settings
  const format = item.type === 'message' && item.role === 'assistant' ? outputFormat : inputFormat
  return doNow({ type: 'SendItem', item, format })(state)
}

export function deleteItem(state: SessionState, { itemId, causedBy }: Event<'DeleteItem'>): SessionDecision {
  const conversation = withoutItem(state.conversation, itemId)
  if (!conversation) return refuseWith(missing('delet', itemId), causedBy)(state)
  return inOrder(state, [change({ conversation }), forgetItem(itemId)])
}

export function truncateItem(state: SessionState, event: Event<'TruncateItem'>): SessionDecision {
  const { itemId, contentIndex, audioEndMs, causedBy } = event
  const item = findItem(state.conversation, itemId)
  if (!item) return refuseWith(missing('truncat', itemId), causedBy)(state)
  if (item.type !== 'message' || item.role !== 'assistant') return refuseWith(notSpoken, causedBy)(state)
  const truncated = truncatedWhileSpoken(state, event) ?? truncatedAfterwards(item, event)
  if ('refusal' in truncated) return refuseWith(truncated.refusal, causedBy)(state)
  const fields = { item_id: itemId, content_index: contentIndex, audio_end_ms: audioEndMs }
  return inOrder(state, [...truncated.steps, send({ type: 'conversation.item.truncated', fields })])
}

type Truncated = { readonly steps: readonly SessionStep[] } | { readonly refusal: Refusal }

/** What is being spoken just now will be known as played so far. */
function truncatedWhileSpoken(
  { responses }: SessionState,
  { itemId, audioEndMs }: Event<'TruncateItem'>,
): Truncated | undefined {
  const isSpoken = ({ open }: ResponseUnderWay) => open?.kind === 'audio' && open.item.id === itemId
  if (!responses.some(isSpoken)) return undefined
  return {
    steps: [
      change({
        responses: responses.map((response) => (isSpoken(response) ? withPlayed(response, audioEndMs) : response)),
      }),
    ],
  }
}

function truncatedAfterwards(item: MessageItem, { contentIndex, audioEndMs }: Event<'TruncateItem'>): Truncated {
  const part = item.parts[contentIndex]
  // clients say 0 for what never sounded, which is as good as true
  if (part?.type !== 'spoken') return audioEndMs === 0 ? { steps: [] } : { refusal: notSpoken }
  const { spoken } = part
  if (spoken && audioEndMs > Math.ceil(spoken.sentMs)) return { refusal: tooShort(spoken.sentMs, audioEndMs) }
  const cut = { ...part, transcript: '', ...(spoken ? { spoken: { ...spoken, playedMs: audioEndMs } } : {}) }
  return {
    steps: [
      replaceItem({ ...item, parts: item.parts.with(contentIndex, cut) }),
      doNow({ type: 'CutAudio', itemId: item.id, endMs: audioEndMs }),
    ],
  }
}

function complaintAbout(item: Item, after: string | undefined, conversation: Conversation): Refusal | undefined {
  if (findItem(conversation, item.id))
    return refused('invalid_value', `There is an item '${item.id}' already.`, 'item.id')
  if (after !== undefined && after !== front && !findItem(conversation, after))
    return refused('invalid_value', `There is no item '${after}' to come after.`, 'previous_item_id')
  if (item.type === 'function_call_output' && !hasCall(conversation, item.callId))
    return refused('invalid_value', `There is no call '${item.callId}' that this would answer.`, 'item.call_id')
  return undefined
}

/** A request is answered once. */
function complaintAboutApproval(item: Item, state: SessionState): Refusal | undefined {
  if (item.type !== 'mcp_approval_response') return undefined
  const { requestId } = item
  const isAsked = findItem(state.conversation, requestId)?.type === 'mcp_approval_request'
  if (isAsked && !approvalOf(state, requestId)) return undefined
  const why = isAsked
    ? `The request '${requestId}' was answered already.`
    : `There is no request '${shortened(requestId)}'.`
  return refused('invalid_value', why, 'item.approval_request_id')
}

function missing(doing: 'retriev' | 'truncat' | 'delet', itemId: string): Refusal {
  return refused(
    `item_${doing}e_invalid_item_id`,
    `Error ${doing}ing item: the item with id '${shortened(itemId)}' does not exist.`,
    'item_id',
  )
}

const notSpoken = refused('unsupported_content_type', 'Only model output audio messages can be truncated', 'item_id')

function tooShort(haveMs: number, wantedMs: number): Refusal {
  return refused(
    'invalid_value',
    `Audio content of ${Math.ceil(haveMs)}ms is already shorter than ${wantedMs}ms`,
    'audio_end_ms',
  )
}

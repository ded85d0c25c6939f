import { withReplaced } from '../items/conversation.ts'
import type { Item, ItemStatus } from '../items/items.ts'
import type { OpenItem, SessionState } from '../state.ts'
import { aheadMs, withPlayed, withPlayingCut } from './playback.ts'

export function endedItem(open: OpenItem, status: ItemStatus): Item {
  if (open.kind === 'call') return { ...open.item, status, arguments: open.arguments }
  const { item, text } = open
  if (open.kind === 'text') return { ...item, status, parts: [{ type: 'text', text }] }
  return { ...item, status, parts: [{ type: 'spoken', transcript: text, spoken: open.spoken }] }
}

/** When nobody is there any more: of what was being said, what had come to the client by now stays. */
export function withItemsCutShort(state: SessionState, nowMs: number): SessionState {
  let { conversation } = state
  for (const response of state.responses) {
    if (!response.open || !response.inConversation) continue
    const sentMs = response.open.kind === 'audio' ? response.open.spoken.sentMs : 0
    const { open } = withPlayed(response, Math.max(0, sentMs - aheadMs(state, response, nowMs)))
    if (open) conversation = withReplaced(conversation, endedItem(open, 'incomplete'))
  }
  return withPlayingCut({ ...state, conversation }, nowMs)
}

import { withReplaced } from '../items/conversation.ts'
import { playedLess } from '../items/items.ts'
import type { SessionEvent } from '../protocol.ts'
import { activeResponse, responseUnderWay } from '../state.ts'
import type { ResponseUnderWay, SessionState } from '../state.ts'
import type { SessionDecision } from './step.ts'

/** How much audio is sent and not played yet: of the conversation, or of a response outside it. */
export function aheadMs(state: SessionState, response: ResponseUnderWay | undefined, nowMs: number): number {
  const { playsUntilMs } = response && !response.inConversation ? response : state
  return Math.max(0, playsUntilMs - nowMs)
}

/** Whether an answer goes on for so long that who speaks now may only want to say that they listen. */
export function goesOnSpeaking(state: SessionState, nowMs: number): boolean {
  const restMs = activeResponse(state) ? 0 : state.about.limits.backchannelRestMs
  return aheadMs(state, undefined, nowMs) > restMs
}

/** Where the client is in playing after so much more was sent. */
export function playsUntilAfter(playsUntilMs: number, sentMs: number, nowMs: number): number {
  return Math.max(playsUntilMs, nowMs) + sentMs
}

/** What a player says of itself goes before what the clock says of it. */
export function playbackReported(
  state: SessionState,
  { aheadMs: left }: Extract<SessionEvent, { type: 'PlaybackReported' }>,
  nowMs: number,
): SessionDecision {
  return { state: { ...state, playsUntilMs: nowMs + left }, effects: [] }
}

/** What is sent and not played yet will not be heard: somebody spoke, or the client said so. */
export function withPlayingCut(state: SessionState, nowMs: number): SessionState {
  const ahead = aheadMs(state, undefined, nowMs)
  if (ahead === 0) return state
  const last = state.conversation.items.findLast((item) => item.type === 'message' && item.role === 'assistant')
  const cut = last?.type === 'message' ? playedLess(last, ahead) : undefined
  return {
    ...state,
    playsUntilMs: Number.NEGATIVE_INFINITY,
    conversation: cut ? withReplaced(state.conversation, cut) : state.conversation,
  }
}

/** What will be known to be played of the item that is being spoken. */
export function withPlayed(response: ResponseUnderWay, playedMs: number): ResponseUnderWay {
  const { open } = response
  return open?.kind === 'audio' ? { ...response, open: { ...open, spoken: { ...open.spoken, playedMs } } } : response
}

/** For who paces what is sent. */
export function aheadOfListener(state: SessionState, responseId: string, nowMs: number): number {
  return aheadMs(state, responseUnderWay(state, responseId), nowMs)
}

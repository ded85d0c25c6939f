import type { SessionState } from '../state.ts'
import { aheadMs } from './playback.ts'
import { change, doNow, inOrder, unchanged } from './step.ts'
import type { SessionDecision } from './step.ts'

/** After an answer: when nobody says anything for long enough, the model is asked again. */
export function awaitVoice(state: SessionState, nowMs: number): SessionDecision {
  const turns = state.settings.turnDetection
  const isSpoken = state.turnItemId !== undefined
  if (turns?.type !== 'server_vad' || turns.idleTimeoutMs === null || state.phase !== 'open' || isSpoken)
    return stopAwaitingVoice(state)
  const ms = turns.idleTimeoutMs + aheadMs(state, undefined, nowMs)
  return inOrder(state, [change({ awaitsVoice: true }), doNow({ type: 'AwaitVoice', ms })])
}

export function stopAwaitingVoice(state: SessionState): SessionDecision {
  if (!state.awaitsVoice) return unchanged(state)
  return inOrder(state, [change({ awaitsVoice: false }), doNow({ type: 'StopAwaitingVoice' })])
}

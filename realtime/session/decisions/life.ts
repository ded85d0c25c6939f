import { refused } from '../../wire/refusal.ts'
import type { ServerEvent, SessionView } from '../../wire/server-events.ts'
import type { Settings } from '../settings/settings.ts'
import { isIdle } from '../state.ts'
import type { SessionState } from '../state.ts'
import { change, doNow, inOrder, refuseWith, send, unchanged } from './step.ts'
import type { SessionDecision } from './step.ts'
import { stopAwaitingVoice } from './voice-wait.ts'

export function beginSession(state: SessionState): SessionDecision {
  const { conversationId, tellsConversation } = state.about
  const created: ServerEvent = { type: 'session.created', session: sessionView(state) }
  return inOrder(state, [
    send(created, ...(tellsConversation ? [{ type: 'conversation.created', conversationId } as const] : [])),
  ])
}

export function updateSettings(state: SessionState, { settings }: { readonly settings: Settings }): SessionDecision {
  const { turnDetection } = settings
  const changed = { ...state, settings, turnItemId: turnDetection ? state.turnItemId : undefined }
  return inOrder(changed, [
    doNow({ type: 'ApplySettings', settings }),
    turnDetection === state.settings.turnDetection ? unchanged : stopAwaitingVoice,
    send({ type: 'session.updated', session: sessionView(changed) }),
  ])
}

export function expireSession(state: SessionState): SessionDecision {
  const minutes = Math.round(state.about.limits.sessionSeconds / 60)
  const reason = `Your session hit the maximum duration of ${minutes} minutes.`
  return inOrder(state, [
    refuseWith(refused('session_expired', reason), null),
    (current) => close(current, 1001, reason),
  ])
}

export function drainSession(state: SessionState): SessionDecision {
  return inOrder(state, [change({ phase: 'draining' }), closeWhenDrained])
}

/** Whoever asked for it to end waits for what is being said and transcribed. */
export function closeWhenDrained(state: SessionState): SessionDecision {
  return state.phase === 'draining' && isIdle(state) ? close(state, 1012, 'Service restart') : unchanged(state)
}

export function releaseSession(state: SessionState): SessionDecision {
  return inOrder(state, [change(nothingUnderWay), doNow({ type: 'Release' })])
}

function close(state: SessionState, code: number, reason: string): SessionDecision {
  return inOrder(state, [change(nothingUnderWay), doNow({ type: 'Close', code, reason })])
}

const nothingUnderWay: Partial<SessionState> = {
  phase: 'closed',
  turnItemId: undefined,
  awaitsVoice: false,
  responses: [],
  transcribing: [],
  untranscribed: [],
}

function sessionView({ about, settings }: SessionState): SessionView {
  const { id, kind, model, expiresAt } = about
  return { id, kind, model, expiresAt, settings }
}

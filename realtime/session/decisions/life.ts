import type { RecordingObstacle } from '../../../actors/session-recording/ports.ts'
import { refused } from '../../wire/refusal.ts'
import type { ServerEvent, SessionView } from '../../wire/server-events.ts'
import type { RecordingStop } from '../ports.ts'
import type { SessionEffect } from '../protocol.ts'
import type { Settings } from '../settings/settings.ts'
import { isIdle } from '../state.ts'
import type { SessionState } from '../state.ts'
import { withItemsCutShort } from './ended-items.ts'
import { change, doNow, inOrder, refuseWith, send, unchanged } from './step.ts'
import type { SessionDecision, SessionStep } from './step.ts'
import { stopAwaitingVoice } from './voice-wait.ts'

export function beginSession(state: SessionState): SessionDecision {
  const { conversationId, tellsConversation } = state.about
  const created: ServerEvent = { type: 'session.created', session: sessionView(state) }
  return inOrder(state, [
    send(created, ...(tellsConversation ? [{ type: 'conversation.created', conversationId } as const] : [])),
    ...itemsToldAgain(state),
  ])
}

/** Of a session that goes on: a client that was cut off does not know which of its items were kept. */
function itemsToldAgain({ conversation: { items } }: SessionState): SessionStep[] {
  return items.map((item, index) => {
    const after = items[index - 1]?.id ?? null
    return send({ type: 'conversation.item.added', item, after }, { type: 'conversation.item.done', item, after })
  })
}

export function updateSettings(state: SessionState, { settings }: { readonly settings: Settings }): SessionDecision {
  const { turnDetection } = settings
  const spoken = turnDetection ? {} : { turnItemId: undefined, heldTurn: undefined }
  const changed = { ...state, settings, ...spoken }
  return inOrder(changed, [
    doNow({ type: 'ApplySettings', settings }),
    turnDetection === state.settings.turnDetection ? unchanged : stopAwaitingVoice,
    send({ type: 'session.updated', session: sessionView(changed) }),
  ])
}

/** What was recorded stays; the session goes on, and its client knows that nobody records it any more. */
export function recordingStopped(state: SessionState, { reason }: { readonly reason: RecordingStop }): SessionDecision {
  const { recording, ...rest } = state.settings
  if (!recording) return unchanged(state)
  const changed = { ...state, settings: { ...rest, keep: false } }
  const fields = { file_id: recording.fileId, reason, message: stopMessages[reason] }
  return inOrder(changed, [
    send({ type: 'vaak.recording.stopped', fields }),
    send({ type: 'session.updated', session: sessionView(changed) }),
  ])
}

/** It goes on: its owner may make room until it is over, and for a while after that. */
export function recordingHindered(
  state: SessionState,
  { obstacle }: { readonly obstacle: RecordingObstacle },
): SessionDecision {
  const { recording } = state.settings
  if (!recording) return unchanged(state)
  const fields = { file_id: recording.fileId, ...obstacle }
  return inOrder(state, [send({ type: 'vaak.recording.hindered', fields })])
}

const stopMessages: Readonly<Record<RecordingStop, string>> = {
  limit: 'The recording is as long as one may be. What was recorded becomes a file; the session goes on.',
  storage: 'Storage does not take the recording. What was stored of it becomes a file; the session goes on.',
}

export function expireSession(state: SessionState): SessionDecision {
  const minutes = Math.round(state.about.limits.sessionSeconds / 60)
  const reason = `Your session hit the maximum duration of ${minutes} minutes.`
  return inOrder(state, [
    refuseWith(refused('session_expired', reason), null),
    (current) => close(current, { code: 1001, reason, isKept: false }),
  ])
}

export function drainSession(state: SessionState): SessionDecision {
  return inOrder(state, [change({ phase: 'draining' }), closeWhenDrained])
}

/** Whoever asked for it to end waits for what is being said and transcribed. */
export function closeWhenDrained(state: SessionState): SessionDecision {
  if (state.phase !== 'draining' || !isIdle(state)) return unchanged(state)
  return close(state, { code: 1012, reason: 'Service restart', isKept: true })
}

/** Whoever comes back has heard so much of what was being said. */
export function releaseSession(
  state: SessionState,
  { isDone }: { readonly isDone: boolean },
  nowMs: number,
): SessionDecision {
  return inOrder(withItemsCutShort(state, nowMs), [
    change(nothingUnderWay),
    doNow({ type: 'Release', isKept: !isDone }),
  ])
}

/** It is the other connection's now, with everything that is kept of it. */
export function giveUpSession(state: SessionState): SessionDecision {
  const reason = 'The session goes on at another connection.'
  return inOrder(state, [
    refuseWith(refused('session_resumed_elsewhere', reason), null),
    (current) => close(current, { code: 1001, reason, isKept: true }),
  ])
}

function close(state: SessionState, how: Omit<Extract<SessionEffect, { type: 'Close' }>, 'type'>): SessionDecision {
  return inOrder(state, [change(nothingUnderWay), doNow({ type: 'Close', ...how })])
}

const nothingUnderWay: Partial<SessionState> = {
  phase: 'closed',
  turnItemId: undefined,
  heldTurn: undefined,
  awaitsVoice: false,
  responses: [],
  transcribing: [],
  untranscribed: [],
}

function sessionView({ about, settings }: SessionState): SessionView {
  const { id, kind, model, expiresAt } = about
  return { id, kind, model, expiresAt, settings }
}

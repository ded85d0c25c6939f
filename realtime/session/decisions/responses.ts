import { refused } from '../../wire/refusal.ts'
import type { Refusal } from '../../wire/refusal.ts'
import type { SessionEffect, SessionEvent } from '../protocol.ts'
import { activeResponse, responseUnderWay } from '../state.ts'
import type { PlannedResponse, ResponseEnd, ResponseUnderWay, SessionState } from '../state.ts'
import { closeWhenDrained } from './life.ts'
import { aheadMs, withPlayed } from './playback.ts'
import { admitted, ratesView, withTokens } from './rates.ts'
import { endOpenItem, responseView, withResponse } from './response-items.ts'
import { change, doNow, inOrder, refuseWith, send, unchanged } from './step.ts'
import type { SessionDecision, SessionStep } from './step.ts'
import { transcribeAll } from './transcriptions.ts'
import { awaitVoice, stopAwaitingVoice } from './voice-wait.ts'

type Event<Type extends SessionEvent['type']> = Extract<SessionEvent, { type: Type }>

/** A response is asked for: by the client, by a turn that ended, or by silence. */
export function wantResponse(wanted: Omit<Extract<SessionEffect, { type: 'PlanResponse' }>, 'type'>): SessionStep {
  return (state) => {
    if (state.about.kind === 'transcription') return refuseWith(noAnswers, wanted.causedBy)(state)
    if (state.phase === 'draining') return refuseWith(goingAway, wanted.causedBy)(state)
    return doNow({ type: 'PlanResponse', ...wanted })(state)
  }
}

/** One at a time in the conversation, a few beside it. */
export function responsePlanned(state: SessionState, event: Event<'ResponsePlanned'>, nowMs: number): SessionDecision {
  const { planned, causedBy } = event
  if ('refusal' in planned) return refuseWith(planned.refusal, causedBy)(state)
  const { limits } = state.about
  const active = planned.inConversation ? activeResponse(state) : undefined
  if (active) return refuseWith(alreadyActive(active.id), causedBy)(state)
  if (state.responses.length >= limits.responses)
    return refuseWith(tooMany(`At most ${limits.responses} responses run at once in a session.`), causedBy)(state)
  const rates = admitted(state.rates, limits, nowMs)
  if (!rates) return refuseWith(tooMany(minuteUsedUp), causedBy)(state)
  return started({ ...state, rates }, event, planned)
}

export function cancelResponse(
  state: SessionState,
  { responseId, causedBy }: Event<'CancelResponse'>,
  nowMs: number,
): SessionDecision {
  const found = responseId === undefined ? activeResponse(state) : responseUnderWay(state, responseId)
  if (!found) return refuseWith(notActive, causedBy)(state)
  return cancelled(state, found, { reason: 'client_cancelled', nowMs })
}

/** Of what was being spoken, the conversation keeps what was played by now. */
export function cancelled(
  state: SessionState,
  response: ResponseUnderWay,
  { reason, nowMs }: { readonly reason: 'turn_detected' | 'client_cancelled'; readonly nowMs: number },
): SessionDecision {
  const { open, id, inConversation } = response
  const ahead = aheadMs(state, response, nowMs)
  const played = open?.kind === 'audio' ? withPlayed(response, Math.max(0, open.spoken.sentMs - ahead)) : response
  return inOrder(state, [
    inConversation ? change({ playsUntilMs: Number.NEGATIVE_INFINITY }) : unchanged,
    withResponse(played),
    doNow({ type: 'StopAnswer', responseId: id, reason }),
    inConversation ? doNow({ type: 'StopPlaying', isTold: false }) : unchanged,
    endResponse(id, { status: 'cancelled', details: { type: 'cancelled', reason } }, nowMs),
  ])
}

/** The last events of a response, and what follows from its end. */
export function endResponse(responseId: string, end: ResponseEnd, nowMs: number): SessionStep {
  return (state) => {
    const response = responseUnderWay(state, responseId)
    if (!response) return unchanged(state)
    const { usage, inConversation } = response
    const rates = withTokens(state.rates, usage.inputTokens + usage.outputTokens, nowMs)
    const limits = { rate_limits: ratesView(rates, state.about.limits, nowMs) }
    return inOrder(state, [
      endOpenItem(responseId, end.status === 'completed' ? 'completed' : 'incomplete'),
      (current) => over(current, responseId, end),
      change({ rates }),
      send({ type: 'rate_limits.updated', fields: limits }),
      inConversation ? (current) => awaitVoice(current, nowMs) : unchanged,
      closeWhenDrained,
    ])
  }
}

function started(
  state: SessionState,
  { responseId: id, unlessSilent }: Event<'ResponsePlanned'>,
  planned: PlannedResponse,
): SessionDecision {
  const { inConversation, settings, metadata } = planned
  const response: ResponseUnderWay = {
    id,
    settings,
    metadata,
    inConversation,
    output: [],
    open: undefined,
    usage: { inputTokens: 0, outputTokens: 0, cachedTokens: 0 },
    playsUntilMs: Number.NEGATIVE_INFINITY,
    times: inConversation ? state.lastTurn : undefined,
    stages: {},
  }
  return inOrder(state, [
    change({ responses: [...state.responses, response], lastResponseId: id }),
    send({ type: 'response.created', response: responseView(state, response) }),
    transcribeAll,
    doNow({ type: 'StartAnswer', responseId: id, planned, unlessSilent }),
    inConversation ? stopAwaitingVoice : unchanged,
    inConversation ? change({ lastTurn: undefined }) : unchanged,
  ])
}

function over(state: SessionState, responseId: string, { status, details }: ResponseEnd): SessionDecision {
  const response = responseUnderWay(state, responseId)
  if (!response) return unchanged(state)
  const view = { ...responseView(state, response), status, details, usage: response.usage }
  return inOrder(state, [
    change({ responses: state.responses.filter(({ id }) => id !== responseId) }),
    send({ type: 'response.done', response: view }),
  ])
}

const noAnswers = refused('invalid_value', 'A transcription session gives no responses.', 'type')

const goingAway: Refusal = {
  type: 'server_error',
  code: 'server_restarting',
  message: 'This server is going away and starts no new response. Connect again.',
  param: null,
}

const notActive = refused('response_cancel_not_active', 'Cancellation failed: no active response found')

const minuteUsedUp = 'This session has had as many responses or tokens as a minute may have. Wait a minute.'

function alreadyActive(id: string): Refusal {
  return refused(
    'conversation_already_has_active_response',
    `Conversation already has an active response in progress: ${id}. Wait until the response is finished before creating a new one.`,
  )
}

function tooMany(message: string): Refusal {
  return { type: 'rate_limit_error', code: 'rate_limit_exceeded', message, param: null }
}

import { spokenRate } from '../../../actors/conversation/ports.ts'
import type { SpokenClause } from '../../../actors/conversation/ports.ts'
import { unreachable } from '../../../actors/decision.ts'
import { withClause } from '../items/spoken.ts'
import type { ResponseOutput } from '../protocol.ts'
import { responseUnderWay } from '../state.ts'
import type { ResponseUnderWay, SessionState } from '../state.ts'
import { approvalWanted, approvedCallBegan, approvedCallEnded } from './approvals.ts'
import { playsUntilAfter } from './playback.ts'
import { addArguments, beginCall, beginMessage, partPlace, withResponse } from './response-items.ts'
import { stageMeasured } from './stages.ts'
import { change, doNow, inOrder, send, unchanged } from './step.ts'
import type { SessionDecision } from './step.ts'

/** What a response that is under way brings forth, event by event. */
export function responseOutput(
  state: SessionState,
  output: ResponseOutput & { readonly responseId: string },
  nowMs: number,
): SessionDecision {
  const response = responseUnderWay(state, output.responseId)
  // it was cancelled in the meantime: everything was told already
  if (!response) return unchanged(state)
  const { id } = response
  switch (output.type) {
    case 'MessageBegan':
      return beginMessage(id, output.itemId, output.kind)(state)
    case 'TextWritten':
      return textWritten(state, response, output.delta)
    case 'ClauseSpoken':
      return clauseSpoken(state, response, output.clause)
    case 'AudioSent':
      return audioSent(state, response, { ...output, nowMs })
    case 'CallBegan':
      return beginCall(id, { id: output.itemId, callId: output.callId, name: output.name })(state)
    case 'ArgumentsWritten':
      return addArguments(id, output.delta)(state)
    case 'ApprovalWanted':
      return approvalWanted(id, output)(state)
    case 'ApprovedCallBegan':
      return approvedCallBegan(state, response, output)
    case 'ApprovedCallEnded':
      return approvedCallEnded(state, response, output)
    case 'TokensUsed':
      return withResponse({ ...response, usage: output.usage })(state)
    case 'StageMeasured':
      return stageMeasured(state, response, { ...output, nowMs })
    default:
      return unreachable(output)
  }
}

function textWritten(state: SessionState, response: ResponseUnderWay, delta: string): SessionDecision {
  const { open } = response
  if (open?.kind !== 'text') return unchanged(state)
  return inOrder(state, [
    withResponse({ ...response, open: { ...open, text: open.text + delta } }),
    send({ type: 'response.output_text.delta', fields: { ...partPlace(response, open), delta } }),
  ])
}

function clauseSpoken(state: SessionState, response: ResponseUnderWay, clause: SpokenClause): SessionDecision {
  const { open, inConversation } = response
  if (open?.kind !== 'audio') return unchanged(state)
  const spoken = withClause(open.spoken, clause, open.spoken.sentMs)
  const fields = { ...partPlace(response, open), delta: clause.text }
  const audio = { pcm: clause.samples, rate: spokenRate }
  return inOrder(state, [
    withResponse({ ...response, open: { ...open, text: open.text + clause.text, spoken } }),
    send({ type: 'response.output_audio_transcript.delta', fields }),
    inConversation ? doNow({ type: 'KeepAudio', itemId: open.item.id, audio }) : unchanged,
  ])
}

function audioSent(
  state: SessionState,
  response: ResponseUnderWay,
  { base64, ms, nowMs }: { readonly base64: string; readonly ms: number; readonly nowMs: number },
): SessionDecision {
  const { open, inConversation } = response
  if (open?.kind !== 'audio') return unchanged(state)
  const spoken = { ...open.spoken, sentMs: open.spoken.sentMs + ms }
  const { playsUntilMs } = inConversation ? state : response
  const plays = { playsUntilMs: playsUntilAfter(playsUntilMs, ms, nowMs) }
  return inOrder(state, [
    withResponse({ ...response, ...(inConversation ? {} : plays), open: { ...open, spoken } }),
    inConversation ? change(plays) : unchanged,
    send({ type: 'response.output_audio.delta', fields: { ...partPlace(response, open), delta: base64 } }),
  ])
}

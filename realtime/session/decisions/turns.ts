import type { InputAudioPart, Item } from '../items/items.ts'
import type { SessionKind } from '../ports.ts'
import type { SessionEvent } from '../protocol.ts'
import type { Settings } from '../settings/settings.ts'
import { activeResponse } from '../state.ts'
import type { SessionState, TurnTimes } from '../state.ts'
import { insertItem } from './item-changes.ts'
import { goesOnSpeaking, withPlayingCut } from './playback.ts'
import { cancelled, wantResponse } from './responses.ts'
import { change, doNow, inOrder, refuseWith, send, unchanged } from './step.ts'
import type { SessionDecision, SessionStep } from './step.ts'
import { noRoomToTranscribe, transcribe } from './transcriptions.ts'
import { stopAwaitingVoice } from './voice-wait.ts'

type Event<Type extends SessionEvent['type']> = Extract<SessionEvent, { type: Type }>

export function speechStarted(
  state: SessionState,
  { itemId, startMs }: Event<'SpeechStarted'>,
  nowMs: number,
): SessionDecision {
  if (!mayBeBackchannel(state, nowMs)) return beginTurn({ itemId, startMs }, nowMs)(state)
  return inOrder(state, [change({ heldTurn: { itemId, startMs } }), doNow({ type: 'HoldTurn', itemId })])
}

/** Clients stop playing when they are told that somebody speaks: where that may be a mere हाँ, they are told later. */
function mayBeBackchannel(state: SessionState, nowMs: number): boolean {
  const { turnDetection } = state.settings
  const isAsked = turnDetection?.type === 'semantic_vad' && turnDetection.interruptResponse
  return isAsked && state.about.tellsBackchannels && goesOnSpeaking(state, nowMs)
}

/** Who begins to speak ends the answer before it. */
export function beginTurn({ itemId, startMs }: NonNullable<SessionState['heldTurn']>, nowMs: number): SessionStep {
  const fields = { audio_start_ms: startMs, item_id: itemId }
  return (state) =>
    inOrder(state, [
      change({ turnItemId: itemId, heldTurn: undefined }),
      send({ type: 'input_audio_buffer.speech_started', fields }),
      stopAwaitingVoice,
      follow(itemId),
      state.settings.turnDetection?.interruptResponse ? (current) => interrupt(current, nowMs) : unchanged,
    ])
}

function beginHeldTurn(nowMs: number): SessionStep {
  return (state) => (state.heldTurn ? beginTurn(state.heldTurn, nowMs)(state) : unchanged(state))
}

/** Where somebody wants the words before the turn is over, or at once then. */
function follow(itemId: string): SessionStep {
  return (state) => {
    const { transcription, turnDetection } = state.settings
    const judgesPauses = turnDetection?.type === 'semantic_vad'
    const answered = isAnswered(state.settings, state.about.kind)
    // by the client, or by the response that answers the turn
    if (!judgesPauses && transcription === null && !answered) return unchanged(state)
    return doNow({ type: 'Follow', itemId, transcription, judgesPauses, isAnswered: answered })(state)
  }
}

function isAnswered({ turnDetection }: Settings, kind: SessionKind): boolean {
  return kind === 'realtime' && turnDetection?.createResponse === true
}

/** A turn that ends becomes an item and is answered. */
export function speechStopped(state: SessionState, event: Event<'SpeechStopped'>, nowMs: number): SessionDecision {
  return inOrder(state, [beginHeldTurn(nowMs), (current) => endTurn(current, event)])
}

function endTurn(state: SessionState, event: Event<'SpeechStopped'>): SessionDecision {
  const { endMs, vadMs, spokenAtMs } = event
  const itemId = state.turnItemId ?? event.itemId
  const fields = { audio_end_ms: endMs, item_id: itemId }
  const told = send({ type: 'input_audio_buffer.speech_stopped', fields })
  const refusal = noRoomToTranscribe(state, 1)
  if (refusal) return inOrder(state, [change({ turnItemId: undefined }), told, refuseWith(refusal, null)])
  return inOrder(state, [
    told,
    ...committed(event, { itemId, spokenAtMs, vadMs }),
    doNow({ type: 'Measure', stage: 'vad_ms', ms: vadMs }),
    isAnswered(state.settings, state.about.kind)
      ? wantResponse({ wire: undefined, unlessSilent: itemId, causedBy: null })
      : unchanged,
  ])
}

/** The client says that the turn is over, and asks for an answer by itself. */
export function commitTurn(state: SessionState, event: Event<'CommitTurn'>, nowMs: number): SessionDecision {
  return inOrder(state, [beginHeldTurn(nowMs), (current) => commit(current, event)])
}

function commit(state: SessionState, event: Event<'CommitTurn'>): SessionDecision {
  const refusal = noRoomToTranscribe(state, 1)
  if (refusal) return refuseWith(refusal, event.causedBy)(state)
  const itemId = state.turnItemId ?? event.itemId
  return inOrder(state, [
    doNow({ type: 'DropInput', before: event.inputEnd }),
    ...committed(event, { itemId, spokenAtMs: event.spokenAtMs }),
  ])
}

export function clearInput(state: SessionState): SessionDecision {
  return inOrder(state, [
    change({ turnItemId: undefined, heldTurn: undefined }),
    doNow({ type: 'EmptyInput' }),
    send({ type: 'input_audio_buffer.cleared', fields: {} }),
  ])
}

/** What waits in the input is silence, and the model is asked what it says to that. */
export function voiceTimedOut(state: SessionState, event: Event<'VoiceTimedOut'>): SessionDecision {
  if (!state.awaitsVoice) return unchanged(state)
  const { itemId, startMs, endMs } = event
  const fields = { audio_start_ms: startMs, audio_end_ms: endMs, item_id: itemId }
  return inOrder(state, [
    change({ awaitsVoice: false, turnItemId: undefined }),
    doNow({ type: 'EmptyInput' }),
    send({ type: 'input_audio_buffer.timeout_triggered', fields }),
    addTurnItem(itemId, { type: 'input_audio', transcript: '', text: '' }),
    wantResponse({ wire: undefined, unlessSilent: undefined, causedBy: null }),
  ])
}

export function clearOutput(state: SessionState, _: Event<'ClearOutput'>, nowMs: number): SessionDecision {
  const fields = { response_id: state.lastResponseId ?? '' }
  return inOrder(withPlayingCut(state, nowMs), [
    send({ type: 'output_audio_buffer.cleared', fields }),
    doNow({ type: 'StopPlaying', isTold: true }),
  ])
}

function interrupt(state: SessionState, nowMs: number): SessionDecision {
  const active = activeResponse(state)
  if (active) return cancelled(state, active, { reason: 'turn_detected', nowMs })
  return doNow({ type: 'StopPlaying', isTold: false })(withPlayingCut(state, nowMs))
}

function committed({ audio }: Event<'SpeechStopped' | 'CommitTurn'>, times: TurnTimes): SessionStep[] {
  const { itemId } = times
  return [
    change({ turnItemId: undefined, lastTurn: times }),
    addTurnItem(itemId, { type: 'input_audio', transcript: null }),
    doNow({ type: 'KeepAudio', itemId, audio }),
    transcribe({ itemId, contentIndex: 0, audio, isTurn: true }),
  ]
}

function addTurnItem(itemId: string, part: InputAudioPart): SessionStep {
  const item: Item = { type: 'message', id: itemId, role: 'user', status: 'completed', parts: [part] }
  return (state) =>
    inOrder(state, [
      stopAwaitingVoice,
      insertItem({ item }, (previous) => [
        send({ type: 'input_audio_buffer.committed', fields: { previous_item_id: previous, item_id: itemId } }),
        send({ type: 'conversation.item.added', item, after: previous }),
        send({ type: 'conversation.item.done', item, after: previous }),
      ]),
    ])
}

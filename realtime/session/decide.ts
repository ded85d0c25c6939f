import { addItem, deleteItem, retrieveItem, truncateItem } from './decisions/items.ts'
import { backchannelHeard, heldTurnBegan } from './decisions/held-turns.ts'
import * as life from './decisions/life.ts'
import { playbackReported } from './decisions/playback.ts'
import { responseOutput } from './decisions/response-output.ts'
import { cancelResponse, endResponse, responsePlanned, wantResponse } from './decisions/responses.ts'
import { refuseWith, unchanged } from './decisions/step.ts'
import type { SessionDecision } from './decisions/step.ts'
import {
  pieceFollowed,
  pieceTranscribed,
  transcriptionFailed,
  transcriptionStopped,
  turnTranscribed,
} from './decisions/transcriptions.ts'
import * as turns from './decisions/turns.ts'
import type { SessionEvent } from './protocol.ts'
import type { SessionState } from './state.ts'

type Decide<Event extends SessionEvent> = (state: SessionState, event: Event, nowMs: number) => SessionDecision

/** What a session concludes from what happened, and what it then does. Nothing follows its end (I16). */
export function decide(state: SessionState, event: SessionEvent, nowMs: number): SessionDecision {
  if (state.phase === 'closed') return unchanged(state)
  const decideOn = decisions[event.type] as Decide<SessionEvent> // as: it is the one for events of this type
  return decideOn(state, event, nowMs)
}

const decisions: { readonly [Type in SessionEvent['type']]: Decide<Extract<SessionEvent, { type: Type }>> } = {
  Open: life.beginSession,
  Expire: life.expireSession,
  Drain: life.drainSession,
  SocketGone: life.releaseSession,
  TakenOver: life.giveUpSession,
  Refuse: (state, { refusal, causedBy }) => refuseWith(refusal, causedBy)(state),
  UpdateSettings: life.updateSettings,
  RecordingStopped: life.recordingStopped,
  RecordingHindered: life.recordingHindered,

  SpeechStarted: turns.speechStarted,
  HeldTurnBegan: heldTurnBegan,
  BackchannelHeard: backchannelHeard,
  SpeechStopped: turns.speechStopped,
  CommitTurn: turns.commitTurn,
  ClearInput: turns.clearInput,
  ClearOutput: turns.clearOutput,
  PlaybackReported: playbackReported,
  VoiceTimedOut: turns.voiceTimedOut,

  AddItem: addItem,
  RetrieveItem: retrieveItem,
  TruncateItem: truncateItem,
  DeleteItem: deleteItem,

  PieceFollowed: pieceFollowed,
  PieceTranscribed: pieceTranscribed,
  TurnTranscribed: turnTranscribed,
  TranscriptionFailed: transcriptionFailed,
  TranscriptionStopped: transcriptionStopped,

  CreateResponse: (state, { wire, causedBy }) => wantResponse({ wire, unlessSilent: undefined, causedBy })(state),
  CancelResponse: cancelResponse,
  ResponsePlanned: responsePlanned,
  MessageBegan: responseOutput,
  TextWritten: responseOutput,
  ClauseSpoken: responseOutput,
  AudioSent: responseOutput,
  CallBegan: responseOutput,
  ArgumentsWritten: responseOutput,
  ApprovalWanted: responseOutput,
  ApprovedCallBegan: responseOutput,
  ApprovedCallEnded: responseOutput,
  TokensUsed: responseOutput,
  StageMeasured: responseOutput,
  ResponseEnded: (state, { responseId, end }, nowMs) => endResponse(responseId, end, nowMs)(state),
}

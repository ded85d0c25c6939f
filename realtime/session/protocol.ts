import type { SpokenClause, TranscribedTurn } from '../../actors/conversation/ports.ts'
import type { RecordingObstacle } from '../../actors/session-recording/ports.ts'
import type { ResponseWire } from '../wire/client-events.ts'
import type { Refusal } from '../wire/refusal.ts'
import type { ServerEvent, Usage } from '../wire/server-events.ts'
import type { AudioClip } from './audio-clip.ts'
import type { Item } from './items/items.ts'
import type { RecordingStop, SessionStage } from './ports.ts'
import type { Settings, Transcribing, WireAudioFormat } from './settings/settings.ts'
import type { PlannedResponse, ResponseEnd } from './state.ts'

/** What may happen to a session. Ids are made by who tells of it: concluding draws none. */
export type SessionEvent = LifeEvent | TurnEvent | ItemEvent | TranscriptionEvent | ResponseEvent

type LifeEvent =
  | { readonly type: 'Open' }
  | { readonly type: 'Expire' }
  /** Finish what is under way, then close. */
  | { readonly type: 'Drain' }
  /** `isDone`: the client meant it, and will not come back. */
  | { readonly type: 'SocketGone'; readonly isDone: boolean }
  /** The session goes on at another connection. */
  | { readonly type: 'TakenOver' }
  /** What a client sent is not even looked at. */
  | ({ readonly type: 'Refuse'; readonly refusal: Refusal } & Caused)
  | { readonly type: 'UpdateSettings'; readonly settings: Settings }
  | { readonly type: 'RecordingStopped'; readonly reason: RecordingStop }
  | { readonly type: 'RecordingHindered'; readonly obstacle: RecordingObstacle }

type TurnEvent =
  | { readonly type: 'SpeechStarted'; readonly itemId: string; readonly startMs: number }
  /** Of a turn that was held: it is one. */
  | { readonly type: 'HeldTurnBegan'; readonly itemId: string }
  /** It is none: the listener said that they listen. `inputEnd` is where the audio ends in the input. */
  | {
      readonly type: 'BackchannelHeard'
      readonly itemId: string
      readonly word: string
      readonly audio: AudioClip
      readonly inputEnd: number
    }
  | ({ readonly type: 'SpeechStopped'; readonly endMs: number; readonly vadMs: number } & TurnAudio)
  /** `inputEnd` is where the audio ends in the input. */
  | ({ readonly type: 'CommitTurn'; readonly inputEnd: number } & Caused & TurnAudio)
  | { readonly type: 'ClearInput' }
  | { readonly type: 'ClearOutput' }
  /** By whoever plays the answers: how much of what was sent is not played yet. */
  | { readonly type: 'PlaybackReported'; readonly aheadMs: number }
  /** Nobody said anything for as long as the session was to wait; where what waits in the input lies. */
  | { readonly type: 'VoiceTimedOut'; readonly itemId: string; readonly startMs: number; readonly endMs: number }

type ItemEvent =
  | ({
      readonly type: 'AddItem'
      readonly item: Item
      readonly clips: readonly ItemClip[]
      readonly after: string | undefined
    } & Caused)
  | ({ readonly type: 'RetrieveItem'; readonly itemId: string } & Caused)
  | ({ readonly type: 'DeleteItem'; readonly itemId: string } & Caused)
  | ({
      readonly type: 'TruncateItem'
      readonly itemId: string
      readonly contentIndex: number
      readonly audioEndMs: number
    } & Caused)

export type TranscriptionEvent =
  /** Of a turn that is still being spoken. */
  | { readonly type: 'PieceFollowed'; readonly itemId: string; readonly text: string }
  | { readonly type: 'PieceTranscribed'; readonly jobId: number; readonly text: string }
  | {
      readonly type: 'TurnTranscribed'
      readonly jobId: number
      readonly turn: TranscribedTurn
      readonly tookMs: number
    }
  | { readonly type: 'TranscriptionFailed'; readonly jobId: number; readonly code: string; readonly message: string }
  | { readonly type: 'TranscriptionStopped'; readonly jobId: number }

type ResponseEvent =
  | ({ readonly type: 'CreateResponse'; readonly wire: ResponseWire | undefined } & Caused)
  | ({ readonly type: 'CancelResponse'; readonly responseId: string | undefined } & Caused)
  | ({
      readonly type: 'ResponsePlanned'
      readonly responseId: string
      readonly planned: PlannedResponse | { readonly refusal: Refusal }
      readonly unlessSilent: string | undefined
    } & Caused)
  | ({ readonly responseId: string } & ResponseOutput)
  | { readonly type: 'ResponseEnded'; readonly responseId: string; readonly end: ResponseEnd }

/** What a response brings forth while it is under way. */
export type ResponseOutput =
  | { readonly type: 'MessageBegan'; readonly itemId: string; readonly kind: 'text' | 'audio' }
  | { readonly type: 'TextWritten'; readonly delta: string }
  | { readonly type: 'ClauseSpoken'; readonly clause: SpokenClause }
  | { readonly type: 'AudioSent'; readonly base64: string; readonly ms: number }
  | { readonly type: 'CallBegan'; readonly itemId: string; readonly callId: string; readonly name: string }
  | { readonly type: 'ArgumentsWritten'; readonly delta: string }
  | {
      readonly type: 'ApprovalWanted'
      readonly itemId: string
      readonly label: string
      readonly tool: string
      readonly arguments: string
    }
  /** Of a call that the client has allowed; the request names it. */
  | { readonly type: 'ApprovedCallBegan'; readonly itemId: string; readonly requestId: string }
  | { readonly type: 'ApprovedCallEnded'; readonly requestId: string; readonly output: string }
  | { readonly type: 'TokensUsed'; readonly usage: Usage }
  | { readonly type: 'StageMeasured'; readonly stage: 'llm_ttft_ms' | 'tts_ttfb_ms'; readonly ms: number }

/** The id that the client gave its event, for the error that refuses it. */
interface Caused {
  readonly causedBy: string | null
}

interface TurnAudio {
  /** For a turn that has no id yet. */
  readonly itemId: string
  readonly audio: AudioClip
  /** On the session's clock: when the last audio of speech came in. */
  readonly spokenAtMs: number
}

/** Audio in an item of the client. */
interface ItemClip {
  readonly contentIndex: number
  readonly audio: AudioClip
}

/** What a session does, in this order. */
export type SessionEffect =
  | { readonly type: 'Send'; readonly event: ServerEvent }
  /** With its audio, where that is kept. */
  | { readonly type: 'SendItem'; readonly item: Item; readonly format: WireAudioFormat }
  /** Releases everything, then closes the socket. */
  | ({ readonly type: 'Close'; readonly code: number; readonly reason: string } & Left)
  | ({ readonly type: 'Release' } & Left)
  | { readonly type: 'ApplySettings'; readonly settings: Settings }
  | { readonly type: 'EmptyInput' }
  /** Of the input, forgets what lies before a position. */
  | { readonly type: 'DropInput'; readonly before: number }
  /** Tells nobody of the turn that begins until it is known whether it is one. */
  | { readonly type: 'HoldTurn'; readonly itemId: string }
  | { readonly type: 'AwaitVoice'; readonly ms: number }
  | { readonly type: 'StopAwaitingVoice' }
  | FollowEffect
  | TranscribeEffect
  | { readonly type: 'StopTranscription'; readonly jobId: number }
  | { readonly type: 'KeepAudio'; readonly itemId: string; readonly audio: AudioClip }
  | { readonly type: 'CutAudio'; readonly itemId: string; readonly endMs: number }
  | { readonly type: 'ForgetAudio'; readonly itemId: string }
  /** Looks for what a response needs, and tells `ResponsePlanned`. */
  | ({
      readonly type: 'PlanResponse'
      readonly wire: ResponseWire | undefined
      readonly unlessSilent: string | undefined
    } & Caused)
  | {
      readonly type: 'StartAnswer'
      readonly responseId: string
      readonly planned: PlannedResponse
      /** The item whose silence needs no answer. */
      readonly unlessSilent: string | undefined
    }
  | { readonly type: 'StopAnswer'; readonly responseId: string; readonly reason: string }
  /** What was sent and not played yet is not to be heard; `isTold`: the client is told so by another event. */
  | { readonly type: 'StopPlaying'; readonly isTold: boolean }
  | { readonly type: 'Measure'; readonly stage: SessionStage; readonly ms: number }

interface Left {
  /** Whether the session may go on at another server. */
  readonly isKept: boolean
}

/** Transcribes the turn that begins while it is spoken, if that can be done. */
export interface FollowEffect {
  readonly type: 'Follow'
  readonly itemId: string
  /** Null when nobody is told the words before they are answered. */
  readonly transcription: Transcribing | null
  /** Whether what was said tells when the turn is over. */
  readonly judgesPauses: boolean
  /** At once, when it is over. */
  readonly isAnswered: boolean
}

export interface TranscribeEffect {
  readonly type: 'Transcribe'
  readonly jobId: number
  readonly itemId: string
  readonly audio: AudioClip
  /** Null when nobody is told the words: then pieces are not wanted either. */
  readonly transcription: Transcribing | null
}

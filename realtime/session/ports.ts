import type {
  ConversationModel,
  Listener,
  SpeechDetector,
  TurnVocabulary,
  Voices,
} from '../../actors/conversation/ports.ts'
import type { Clock, Log } from '../../actors/ports.ts'
import type { RecordingHints, RecordingObstacle, SessionTurn } from '../../actors/session-recording/ports.ts'
import type { AudioClip } from './audio-clip.ts'
import type { Item } from './items/items.ts'
import type { SessionLimits } from './limits.ts'
import type { AnnouncedRecording, Settings, WireAudioFormat } from './settings/settings.ts'

/** `beta`: flat settings and the older event names; `ga`: nested settings. Both shapes are understood in either. */
export type Dialect = 'beta' | 'ga'

export type SessionKind = 'realtime' | 'transcription'

export type SessionStage = 'vad_ms' | 'asr_ms' | 'llm_ttft_ms' | 'tts_ttfb_ms' | 'voice_to_voice_ms'

/** Plays what is spoken, where the audio of a session goes another way than its events. */
export interface Speaker {
  /** Of all audio of the session, in both directions, whatever the client sets. */
  readonly format: WireAudioFormat
  /** As base64; it follows what came before. */
  play(responseId: string, audio: string): void
  /** No more comes of this response. */
  finish(responseId: string): void
  /** Nobody wants to hear the rest; `isTold`: and the client knows that already. */
  stop(isTold: boolean): void
}

/** What of a session another server needs to go on with it. */
export interface KeptSession {
  /** Of another version's session nothing is understood. */
  readonly form: number
  readonly id: string
  readonly conversationId: string
  readonly kind: SessionKind
  /** Seconds since the epoch: to go on with a session makes it no longer. */
  readonly expiresAt: number
  /** Whether its client may not change what its token laid down. */
  readonly isLocked: boolean
  readonly settings: Settings
  readonly items: readonly Item[]
}

/** What writes down a session for another server to go on with. */
export interface KeeperInput {
  readonly id: string
  /** What is to be written, as it is when it is asked for. */
  read(): KeptSession
  /** The session goes on at another connection. */
  takenOver(): void
}

export interface SessionKeeper {
  /** There is something new to write down, some time soon. */
  changed(): void
  /** Writes the rest: the session may go on elsewhere. Never rejects. */
  leave(): Promise<void>
  /** Nobody will ask for the session any more. Never rejects. */
  forget(): Promise<void>
}

export interface SessionVocabularies {
  /** Nothing when the owner has none with this id. */
  read(id: string): Promise<TurnVocabulary | undefined>
}

/** Makes files of sessions that their owner keeps. */
export interface Recordings {
  /** Why no session can be recorded now, in a sentence. */
  unavailable(): string | undefined
  /** Why nobody is told at this address, in a sentence. */
  refusalOf(callbackUrl: string): string | undefined
  announce(): AnnouncedRecording
  open(input: RecorderInput): SessionRecorder
}

export interface RecorderInput {
  readonly sessionId: string
  readonly recording: AnnouncedRecording
  readonly callbackUrl: string | null
  /** What became known of turns since the last call; all that is left of it at the end. */
  turns(isLast: boolean): readonly SessionTurn[]
  /** As they are now. */
  hints(): RecordingHints
  /** Nothing more is recorded, though the session goes on. */
  stopped(reason: RecordingStop): void
  /** It is recorded, but could not become a file now. */
  hindered(obstacle: RecordingObstacle): void
}

/** It is as long as it may be, or storage did not take it. */
export type RecordingStop = 'limit' | 'storage'

export interface SessionRecorder {
  /** What came in just now. */
  heard(clip: AudioClip): RecordedSpan
  /** What is to be played, after what was to be played before. */
  played(clip: AudioClip): RecordedSpan
  /** What was to be played from then on is not heard; from now on unless told. Tells from when on, of the recording. */
  stopPlaying(fromMs?: number): number
  /** `isEnded`: nobody goes on with it at another server. Never rejects. */
  finish(isEnded: boolean): Promise<void>
}

/** Of a recording. */
export interface RecordedSpan {
  readonly startMs: number
  readonly endMs: number
}

/** What a session is opened with. The socket behind `send` and `close` is the caller's. */
export interface SessionPorts {
  readonly dialect: Dialect
  /** Types of events that this client does not know, and takes for an error. */
  readonly withheld?: ReadonlySet<string> | undefined
  readonly kind: SessionKind
  /** As the client named it. */
  readonly model: string
  /** Session settings that an ephemeral token carries, in either shape. */
  readonly defaults?: unknown
  /** The client may not change instructions, tools and the bound of tokens that `defaults` has. */
  readonly locked?: boolean
  readonly detector: SpeechDetector
  readonly listener: Listener
  readonly answers: ConversationModel
  readonly voices: Voices
  readonly clock: Clock
  /** An id that nobody else has, such as `item_…` for the prefix `item`. */
  readonly newId: (prefix: string) => string
  readonly limits: SessionLimits
  /** Absent: audio is sent in events. */
  readonly speaker?: Speaker | undefined
  /** What it was when it was left, for a session that goes on. */
  readonly resumed?: KeptSession | undefined
  /** Absent: when its socket is gone, so is the session. */
  readonly keep?: ((input: KeeperInput) => SessionKeeper) | undefined
  /** Of the owner, by their ids. Rejects when they cannot be looked up; absent: there are none. */
  readonly vocabularies?: SessionVocabularies | undefined
  /** Absent: no session is recorded here. */
  readonly recordings?: Recordings | undefined
  /** Never called after `close`. */
  send(event: string): void
  /** Called at most once; of a session that is kept, when it is. */
  close(code: number, reason: string): void
  measure?(stage: SessionStage, ms: number): void
  readonly log: Log
}

export interface RunningSession {
  /** A text frame. */
  receive(frame: string): void
  /** Audio at the rate of the session's format that came another way than in events; the array may be reused after the call. */
  hear(pcm: Int16Array): void
  /** Whoever plays the answers knows how much of what was sent is not played yet. */
  reportPlayback(aheadMs: number): void
  /** A binary frame, which is refused with an error. */
  receiveBinary(): void
  /** Finishes what is being said and transcribed, then closes with 1012. */
  drain(): void
  /** The socket is gone: everything stops, nothing is sent any more. `isDone`: the client will not come back. */
  end(isDone?: boolean): void
}

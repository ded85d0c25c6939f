import type { ConversationModel, Listener, SpeechDetector, Voices } from '../../actors/conversation/ports.ts'
import type { Clock, Log } from '../../actors/ports.ts'
import type { SessionLimits } from './limits.ts'

/** `beta`: flat settings and the older event names; `ga`: nested settings. Both shapes are understood in either. */
export type Dialect = 'beta' | 'ga'

export type SessionKind = 'realtime' | 'transcription'

export type SessionStage = 'vad_ms' | 'asr_ms' | 'llm_ttft_ms' | 'tts_ttfb_ms' | 'voice_to_voice_ms'

/** Plays what is spoken, where the audio of a session goes another way than its events. */
export interface Speaker {
  /** 24 kHz pcm16, as base64; it follows what came before. */
  play(responseId: string, audio: string): void
  /** No more comes of this response. */
  finish(responseId: string): void
  /** Nobody wants to hear the rest; `isTold`: and the client knows that already. */
  stop(isTold: boolean): void
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
  /** Absent: audio is sent in events. With one it is always pcm16, whatever the client sets. */
  readonly speaker?: Speaker | undefined
  /** Never called after `close`. */
  send(event: string): void
  /** Called at most once, and not after `end`. */
  close(code: number, reason: string): void
  measure?(stage: SessionStage, ms: number): void
  readonly log: Log
}

export interface RunningSession {
  /** A text frame. */
  receive(frame: string): void
  /** Audio at 24 kHz that came another way than in events; the array may be reused after the call. */
  hear(pcm: Int16Array): void
  /** A binary frame, which is refused with an error. */
  receiveBinary(): void
  /** Finishes what is being said and transcribed, then closes with 1012. */
  drain(): void
  /** The socket is gone: everything stops, nothing is sent any more. */
  end(): void
}

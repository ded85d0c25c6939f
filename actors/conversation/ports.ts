import type { Owner } from '../ids.ts'
import type { StoredVocabulary } from '../vocabulary/state.ts'

/** What a realtime session needs from the outside: what tells speech from silence, what hears, answers and speaks. */

/** What recognisers are given, whatever it came at, and at which everything is spoken: samples a second. */
export const recogniserRate = 16_000
export const spokenRate = 24_000
/** So much silence is a pause, at `recogniserRate`: between two words it is shorter. */
export const pauseSamples = 0.128 * recogniserRate

/** Tells speech from silence for all sessions of the process at once. */
export interface SpeechDetector {
  /** `tell` is called once for each frame of 512 samples at 16 kHz, in order, soon after it was complete; sound of another `rate` has frames as long. */
  listen(tell: (speech: SpeechFrame) => void, rate: number): DetectorInput
  close(): Promise<void>
}

export interface SpeechFrame {
  /** First sample of the frame, counted from the beginning of the session, at 16 kHz. */
  readonly startSample: number
  /** 0 to 1. */
  readonly probability: number
}

export interface DetectorInput {
  /** Samples that follow the earlier ones; the array may be reused after the call. */
  push(pcm: Int16Array): void
  /** Nothing is told after this call. */
  close(): void
}

/** Hears what was said in one turn. */
export interface Listener {
  transcribe(samples: Float32Array, options: TurnTranscribeOptions): Promise<TranscribedTurn>
  /** Transcribes a turn while it is spoken; nothing where that would take too long, or nobody wants it. */
  follow(options: FollowOptions): FollowedTurn | undefined
  /** Which word by which listeners say that they listen (हाँ, mhm, right) a short sound is; nothing where it is another, or may be. Absent where nobody can tell that quickly. */
  backchannelIn?(
    samples: Float32Array,
    options: Pick<TurnTranscribeOptions, 'owner' | 'signal'>,
  ): Promise<string | undefined>
  close(): Promise<void>
}

export interface TurnTranscribeOptions {
  /** `hi`, `en` or another code the recogniser knows; found out when absent. */
  readonly language?: string
  readonly prompt?: string
  readonly keywords?: readonly string[]
  /** Words of the house: they are listened for, and spelt as it says. */
  readonly vocabulary?: TurnVocabulary
  /** Whose turn it is: of users who want it at the same time, who had least lately is next. */
  readonly owner?: Owner
  readonly signal: AbortSignal
  /** Called with each further piece of text as soon as it is certain; the pieces together are the whole text. */
  readonly tell?: (piece: string) => void
}

/** The same object for the same words: what is made of them is made once. */
export type TurnVocabulary = Pick<StoredVocabulary, 'sha256' | 'entries'>

export interface FollowOptions extends Omit<TurnTranscribeOptions, 'signal'> {
  /** What was said since the last call, at `recogniserRate`. */
  readonly read: () => Promise<Float32Array>
  /** Called once a pause, while it lasts: how likely the speaker has finished, 0 to 1. */
  readonly judgePause?: (finished: number) => void
  /** Somebody waits for an answer to it: what would be known better a while later is told as it is known. */
  readonly isAnswered?: boolean
}

/** A turn that is not over yet. */
export interface FollowedTurn {
  /** So many samples at `recogniserRate` came since its beginning, of which the last `quiet` ones are silence. */
  came(samples: number, quiet: number): void
  /** It is over, and `read` gives the rest of it. */
  finish(): Promise<TranscribedTurn>
  /** Nobody wants it any more: nothing is read or told after this call, and `finish` rejects. */
  close(): void
}

export interface TranscribedTurn {
  /** Empty when there was no speech. */
  readonly text: string
  /** Languages by share, the first the strongest. */
  readonly languages: readonly string[]
  readonly seconds: number
}

/** By which clients ask for a session. */
export const ownModel = 'vaak-realtime'

/** Where sessions are opened, at the realtime server and through a gateway; Azure's clients have addresses of their own. */
export const sessionPaths = ['/v1/realtime', '/realtime', '/openai/v1/realtime', '/openai/realtime'] as const
/** Where carriers connect telephone calls to, at the realtime server and through a gateway. */
export const telephonePaths = ['/telephone/twilio', '/telephone/plivo', '/telephone/exotel'] as const
export type SessionPath = (typeof sessionPaths)[number]

/** Where text is spoken while it is written, at both. */
export const speechStreamPath = '/v1/audio/speech/stream'

/** Answers in a conversation: a language model, or the built-in agent. */
export interface ConversationModel {
  /** The parts of one answer as they come. An aborted signal ends it with the signal's reason. */
  answer(request: AnswerRequest, signal: AbortSignal): AsyncIterable<AnswerPart>
}

export interface AnswerRequest {
  readonly instructions: string
  readonly turns: readonly ConversationTurn[]
  readonly tools: readonly ToolDefinition[]
  /** Whose tools are called on the way to the answer, by us. */
  readonly toolServers?: readonly ToolServer[]
  readonly approved?: readonly ApprovedCall[]
  readonly toolChoice: ToolChoice
  /** Unbounded when absent. */
  readonly tokensMax?: number
  readonly temperature?: number
}

export type ConversationTurn =
  | {
      readonly kind: 'said'
      readonly by: 'user' | 'assistant' | 'system'
      readonly text: string
      readonly language?: string
    }
  | { readonly kind: 'called'; readonly callId: string; readonly name: string; readonly arguments: string }
  | { readonly kind: 'returned'; readonly callId: string; readonly output: string }

export interface ToolDefinition {
  readonly name: string
  readonly description: string
  /** A JSON schema of type object. */
  readonly parameters: Readonly<Record<string, unknown>>
}

/** A server with tools of its own, which speaks the Model Context Protocol. */
export interface ToolServer {
  readonly label: string
  readonly url: string
  /** What it lets us in by; never told back. */
  readonly authorization?: string | undefined
  /** Absent: all that it has. */
  readonly allowed?: readonly string[] | undefined
  /** Which of its tools are called only when the client has said so; absent: none. */
  readonly approval?: ToolApproval | undefined
}

/** By names of tools. One in neither list needs it, unless there is a list of those that do and no other. */
export type ToolApproval =
  | 'always'
  | { readonly always?: readonly string[] | undefined; readonly never?: readonly string[] | undefined }

/** A call of a tool server's tool that the client has allowed, to be made before anything is answered. */
export interface ApprovedCall {
  /** Of what asked for it. */
  readonly id: string
  readonly label: string
  readonly tool: string
  readonly arguments: string
}

const functionNameCharacters = 64

/** What a model calls a tool server's tool by: with the server's label, and nothing that no function's name may have. */
export function toolServerFunction(label: string, tool: string): string {
  return `${label}__${tool}`.replaceAll(/[^\w-]/g, '_').slice(0, functionNameCharacters)
}

export type ToolChoice = 'auto' | 'none' | 'required' | { readonly name: string }

export type AnswerPart =
  | { readonly kind: 'text'; readonly delta: string }
  | { readonly kind: 'call'; readonly callId: string; readonly name: string }
  | { readonly kind: 'arguments'; readonly callId: string; readonly delta: string }
  | {
      readonly kind: 'usage'
      readonly inputTokens: number
      readonly outputTokens: number
      readonly cachedTokens: number
    }
  /** A tool server's tool that the client has to allow first; the answer ends with it. */
  | { readonly kind: 'approval'; readonly label: string; readonly tool: string; readonly arguments: string }
  /** Of a call that the client has allowed: it is made now, or, with what it returned, has been. */
  | { readonly kind: 'approved'; readonly id: string; readonly output?: string }
  /** The last part; `length` when `tokensMax` or the model's own bound cut it. */
  | { readonly kind: 'end'; readonly reason: 'stop' | 'length' | 'filtered' }

/** Speaks text with one of the voices. */
export interface Voices {
  list(): readonly Voice[]
  /** By id or by a name that existing clients send; `undefined` when nothing fits. */
  find(name: string): Voice | undefined
  /**
   * Speaks text while it is still being written: a clause is spoken as soon as it is complete. The pieces of `text`
   * are split and joined as sense demands. Cancelled within one clause by `signal`; pulls no faster than it is read.
   */
  speak(text: AsyncIterable<string>, options: SpeakOptions): AsyncIterable<SpokenClause>
  close(): Promise<void>
}

export interface Voice {
  readonly id: string
  readonly name: string
  readonly gender: 'female' | 'male'
  /** `hi`, `ta` or `en`. */
  readonly language: string
}

export interface SpeakOptions {
  /** A voice's id. */
  readonly voice: string
  /** 0.25 to 4; 1 is natural. */
  readonly speed?: number
  /** Who listens: of users for whom is spoken at the same time, who had least lately is next. */
  readonly owner?: Owner
  /** How that user wants words to be spoken. */
  readonly pronounce?: Pronounce | undefined
  readonly signal: AbortSignal
}

/** What is read aloud in place of a word; nothing where that is the word itself. */
export type Pronounce = (word: string) => string | undefined

export interface SpokenClause {
  /** What the listener would read: the clauses together are the whole text. */
  readonly text: string
  /** 24 kHz. */
  readonly samples: Int16Array
  /** Where each word of the text is heard, in milliseconds from the beginning of this clause. */
  readonly words: readonly { readonly text: string; readonly startMs: number; readonly endMs: number }[]
}

/** What one user had of realtime sessions that ended on a day. */
export interface SessionDay {
  readonly sessions: number
  readonly seconds: number
}

/** `date` in UTC, as `2026-11-17`. */
export function sessionDayKey(owner: Owner, date: string): string {
  return `${owner}.${date}`
}

/** What spoken audio can be sent as, at `spokenRate`. */
export const speechFormats = ['mp3', 'opus', 'aac', 'flac', 'wav', 'pcm'] as const
export type SpeechFormat = (typeof speechFormats)[number]

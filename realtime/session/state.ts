import type { ResponseView, Usage } from '../wire/server-events.ts'
import type { AudioClip } from './audio-clip.ts'
import type { Conversation } from './items/conversation.ts'
import type { Call, Item, MessageItem } from './items/items.ts'
import type { SpokenOutput } from './items/spoken.ts'
import type { SessionLimits } from './limits.ts'
import type { SessionKind, SessionStage } from './ports.ts'
import type { Settings } from './settings/settings.ts'

/** What a session knows of its turns, responses and items. */
export interface SessionState {
  readonly about: AboutSession
  readonly phase: 'open' | 'draining' | 'closed'
  readonly settings: Settings
  readonly conversation: Conversation
  /** The item that somebody is speaking. */
  readonly turnItemId: string | undefined
  /** What somebody says over an answer, while nobody knows whether it is a turn. */
  readonly heldTurn: { readonly itemId: string; readonly startMs: number } | undefined
  /** The last item of which words were told before its turn was over. */
  readonly toldItemId: string | undefined
  /** Of the last turn, until a response answers it. */
  readonly lastTurn: TurnTimes | undefined
  /** When nobody speaks for long enough, the model is asked again. */
  readonly awaitsVoice: boolean
  /** Those under way: at most one of them in the conversation. */
  readonly responses: readonly ResponseUnderWay[]
  /** The newest, whether it is still under way or not. */
  readonly lastResponseId: string | undefined
  /** When the client has played what it was sent, assuming that it plays at once and does not stop, unless it says how far it is. */
  readonly playsUntilMs: number
  readonly rates: RateCounts
  readonly transcribing: readonly TranscriptionJob[]
  /** The queue of what is transcribed when somebody first asks what was said. */
  readonly untranscribed: readonly ClipToTranscribe[]
  readonly jobsBegun: number
}

/** What does not change while a session lasts. */
interface AboutSession {
  readonly id: string
  readonly conversationId: string
  readonly kind: SessionKind
  readonly tellsConversation: boolean
  /** Whether somebody can tell that who speaks only says that they listen. */
  readonly tellsBackchannels: boolean
  readonly model: string
  /** Seconds since the epoch. */
  readonly expiresAt: number
  readonly limits: SessionLimits
}

/** What is measured of a turn before it is answered. */
export interface TurnTimes {
  readonly itemId: string
  readonly spokenAtMs: number
  readonly vadMs?: number
  readonly asrMs?: number
}

/** Responses and tokens in the present minute. */
export interface RateCounts {
  readonly sinceMs: number
  readonly responses: number
  readonly tokens: number
}

export interface ClipToTranscribe {
  readonly itemId: string
  readonly contentIndex: number
  readonly audio: AudioClip
  /** Whether how long it takes counts as a stage of a turn. */
  readonly isTurn: boolean
}

export interface TranscriptionJob extends Omit<ClipToTranscribe, 'audio'> {
  readonly id: number
  /** Whether the client is told the words. */
  readonly isTold: boolean
  /** Whether a piece of them was told already. */
  readonly hasPieces: boolean
}

/** What a response will be, once it is known that it can be. */
export interface PlannedResponse {
  readonly settings: Settings
  /** A voice's id; unused when nothing is spoken. */
  readonly voice: string
  readonly inConversation: boolean
  readonly metadata: ResponseView['metadata']
  /** What it answers instead of the conversation. */
  readonly input: readonly Item[] | undefined
}

export interface ResponseEnd {
  readonly status: Exclude<ResponseView['status'], 'in_progress'>
  readonly details: object | null
}

export interface ResponseUnderWay {
  readonly id: string
  readonly settings: Settings
  readonly metadata: ResponseView['metadata']
  readonly inConversation: boolean
  /** Its items that are complete. */
  readonly output: readonly Item[]
  readonly open: OpenItem | undefined
  readonly usage: Usage
  /** As the session's own, for one outside the conversation. */
  readonly playsUntilMs: number
  readonly times: TurnTimes | undefined
  readonly stages: Partial<Record<SessionStage, number>>
}

/** The item that a response is writing or speaking, and the item before it. */
export type OpenItem = { readonly after: string | null } & (
  | { readonly kind: 'text'; readonly item: MessageItem; readonly text: string }
  | { readonly kind: 'audio'; readonly item: MessageItem; readonly text: string; readonly spoken: SpokenOutput }
  | { readonly kind: 'call'; readonly item: Call; readonly arguments: string }
)

export function newSession(about: AboutSession, settings: Settings, conversation: Conversation): SessionState {
  return {
    about,
    phase: 'open',
    settings,
    conversation,
    turnItemId: undefined,
    heldTurn: undefined,
    toldItemId: undefined,
    lastTurn: undefined,
    awaitsVoice: false,
    responses: [],
    lastResponseId: undefined,
    playsUntilMs: Number.NEGATIVE_INFINITY,
    rates: { sinceMs: Number.NEGATIVE_INFINITY, responses: 0, tokens: 0 },
    transcribing: [],
    untranscribed: [],
    jobsBegun: 0,
  }
}

export function responseUnderWay(state: SessionState, responseId: string): ResponseUnderWay | undefined {
  return state.responses.find(({ id }) => id === responseId)
}

/** The one in the conversation. */
export function activeResponse(state: SessionState): ResponseUnderWay | undefined {
  return state.responses.find(({ inConversation }) => inConversation)
}

/** Nothing is being said or transcribed. */
export function isIdle(state: SessionState): boolean {
  return state.responses.length === 0 && state.transcribing.length === 0
}

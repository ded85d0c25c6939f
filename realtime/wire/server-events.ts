import type { Item } from '../session/items/items.ts'
import type { SessionKind } from '../session/ports.ts'
import type { Settings } from '../session/settings/settings.ts'
import type { Refusal } from './refusal.ts'

/** Everything a session says, in one form; `write.ts` puts it into a dialect. The names are those of the newer one. */
export type ServerEvent =
  | { readonly type: 'error'; readonly refusal: Refusal; readonly causedBy: string | null }
  | { readonly type: 'session.created' | 'session.updated'; readonly session: SessionView }
  | { readonly type: 'conversation.created'; readonly conversationId: string }
  | { readonly type: 'conversation.item.added' | 'conversation.item.done'; readonly item: Item; readonly after: After }
  | { readonly type: 'conversation.item.retrieved'; readonly item: Item; readonly audio?: string }
  | { readonly type: 'conversation.item.truncated'; readonly fields: ItemContent & { readonly audio_end_ms: number } }
  | { readonly type: 'conversation.item.deleted'; readonly fields: { readonly item_id: string } }
  | TranscriptionEvent
  | {
      readonly type: 'input_audio_buffer.committed'
      readonly fields: { readonly previous_item_id: string | null; readonly item_id: string }
    }
  | { readonly type: 'input_audio_buffer.cleared'; readonly fields: object }
  | {
      readonly type: 'input_audio_buffer.speech_started'
      readonly fields: { readonly audio_start_ms: number; readonly item_id: string }
    }
  | {
      readonly type: 'input_audio_buffer.speech_stopped'
      readonly fields: { readonly audio_end_ms: number; readonly item_id: string }
    }
  | {
      readonly type: 'input_audio_buffer.timeout_triggered'
      readonly fields: { readonly audio_start_ms: number; readonly audio_end_ms: number; readonly item_id: string }
    }
  | { readonly type: 'response.created' | 'response.done'; readonly response: ResponseView }
  | {
      readonly type: 'response.output_item.added' | 'response.output_item.done'
      readonly response_id: string
      readonly output_index: number
      readonly item: Item
    }
  | PartEvent
  | {
      readonly type: 'response.function_call_arguments.delta'
      readonly fields: PlaceOfItem & { readonly call_id: string; readonly delta: string }
    }
  | {
      readonly type: 'response.function_call_arguments.done'
      readonly fields: PlaceOfItem & { readonly call_id: string; readonly name: string; readonly arguments: string }
    }
  | {
      readonly type: 'response.mcp_call.in_progress' | 'response.mcp_call.completed' | 'response.mcp_call.failed'
      readonly fields: { readonly item_id: string; readonly output_index: number }
    }
  | { readonly type: 'output_audio_buffer.cleared'; readonly fields: { readonly response_id: string } }
  | { readonly type: 'rate_limits.updated'; readonly fields: { readonly rate_limits: readonly RateLimit[] } }
  | { readonly type: 'vaak.metrics'; readonly fields: object }
  | {
      readonly type: 'vaak.recording.stopped' | 'vaak.recording.hindered'
      readonly fields: { readonly file_id: string; readonly reason: string; readonly message: string }
    }

type TranscriptionEvent =
  | {
      readonly type: 'conversation.item.input_audio_transcription.delta'
      readonly fields: ItemContent & { readonly delta: string }
    }
  | {
      readonly type: 'conversation.item.input_audio_transcription.completed'
      readonly fields: ItemContent & {
        readonly transcript: string
        readonly usage: { readonly type: 'duration'; readonly seconds: number }
        readonly languages?: readonly { readonly code: string }[]
      }
    }
  | {
      readonly type: 'conversation.item.input_audio_transcription.failed'
      readonly fields: ItemContent & {
        readonly error: { readonly type: string; readonly code: string; readonly message: string }
      }
    }

type PartEvent =
  | {
      readonly type: 'response.content_part.added' | 'response.content_part.done'
      readonly fields: PlaceOfPart & {
        readonly part:
          | { readonly type: 'text'; readonly text: string }
          | { readonly type: 'audio'; readonly transcript: string }
      }
    }
  | {
      readonly type:
        | 'response.output_text.delta'
        | 'response.output_audio.delta'
        | 'response.output_audio_transcript.delta'
      readonly fields: PlaceOfPart & { readonly delta: string }
    }
  | { readonly type: 'response.output_text.done'; readonly fields: PlaceOfPart & { readonly text: string } }
  | { readonly type: 'response.output_audio.done'; readonly fields: PlaceOfPart }
  | {
      readonly type: 'response.output_audio_transcript.done'
      readonly fields: PlaceOfPart & { readonly transcript: string }
    }

interface ItemContent {
  readonly item_id: string
  readonly content_index: number
}

/** The item before, or null at the front. */
export type After = string | null

interface PlaceOfItem {
  readonly response_id: string
  readonly item_id: string
  readonly output_index: number
}

interface PlaceOfPart extends PlaceOfItem {
  readonly content_index: number
}

export interface RateLimit {
  readonly name: 'requests' | 'tokens'
  readonly limit: number
  readonly remaining: number
  readonly reset_seconds: number
}

export interface SessionView {
  readonly id: string
  readonly kind: SessionKind
  readonly model: string
  /** Seconds since the epoch. */
  readonly expiresAt: number
  readonly settings: Settings
}

export interface ResponseView {
  readonly id: string
  readonly status: 'in_progress' | 'completed' | 'cancelled' | 'incomplete' | 'failed'
  readonly details: object | null
  readonly output: readonly Item[]
  readonly conversationId: string | null
  readonly settings: Settings
  readonly metadata: Readonly<Record<string, string>> | null
  readonly usage: Usage | null
}

export interface Usage {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cachedTokens: number
}

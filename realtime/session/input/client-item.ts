import type { ItemWire, PartWire } from '../../wire/item-schema.ts'
import { refused } from '../../wire/refusal.ts'
import type { Refusal } from '../../wire/refusal.ts'
import { bytesIn, bytesPerSecond } from '../audio-clip.ts'
import type { AudioClip } from '../audio-clip.ts'
import type { Item, ContentPart } from '../items/items.ts'
import type { WireAudioFormat } from '../settings/settings.ts'
import { decodeClip } from './audio-in.ts'

/** An item that a client wrote, and the audio in it that is still to be transcribed. */
interface ClientItem {
  readonly item: Item
  readonly clips: readonly { readonly contentIndex: number; readonly audio: AudioClip }[]
}

interface ItemOptions {
  readonly format: WireAudioFormat
  readonly audioSecondsMax: number
  readonly newId: (prefix: string) => string
}

export function itemFrom(wire: ItemWire, options: ItemOptions): ClientItem | { readonly refusal: Refusal } {
  const known = { id: wire.id ?? options.newId('item'), status: 'completed' } as const
  if (wire.type === 'function_call') {
    const callId = wire.call_id ?? options.newId('call')
    const { type, name } = wire
    return { item: { ...known, type, name, callId, arguments: wire.arguments }, clips: [] }
  }
  if (wire.type === 'function_call_output')
    return { item: { ...known, type: wire.type, callId: wire.call_id, output: wire.output }, clips: [] }
  if (wire.type === 'mcp_approval_response') {
    const { type, approval_request_id: requestId, approve, reason = null } = wire
    return { item: { ...known, type, requestId, approve, reason, isUsed: false }, clips: [] }
  }

  const clips: { contentIndex: number; audio: AudioClip }[] = []
  for (const [contentIndex, part] of wire.content.entries()) {
    if (!needsTranscription(part)) continue
    if (bytesIn(part.audio) / bytesPerSecond(options.format) > options.audioSecondsMax)
      return { refusal: notAudio(contentIndex, `it is longer than ${options.audioSecondsMax} seconds`) }
    const audio = decodeClip(part.audio, options.format)
    if (!audio) return { refusal: notAudio(contentIndex, 'it is not base64') }
    clips.push({ contentIndex, audio })
  }
  const parts = wire.content.map((part) => partFrom(part, wire.role === 'assistant'))
  return { item: { ...known, type: 'message', role: wire.role, parts }, clips }
}

function partFrom(part: PartWire, isAssistant: boolean): ContentPart {
  if ('text' in part) return { type: 'text', text: part.text }
  const transcript = part.transcript ?? null
  if (isAssistant) return { type: 'spoken', transcript: transcript ?? '' }
  return transcript === null
    ? { type: 'input_audio', transcript }
    : { type: 'input_audio', transcript, text: transcript }
}

function needsTranscription(part: PartWire): part is PartWire & { readonly audio: string } {
  return part.type === 'input_audio' && typeof part.audio === 'string' && typeof part.transcript !== 'string'
}

function notAudio(index: number, why: string): Refusal {
  const param = `item.content[${index}].audio`
  return refused('invalid_value', `Invalid value for '${param}': ${why}.`, param)
}

import type { ItemWire, PartWire } from '../wire/item-schema.ts'
import { refused } from '../wire/refusal.ts'
import type { Refusal } from '../wire/refusal.ts'
import type { Item, ContentPart } from './items.ts'
import type { WireAudioFormat } from './settings.ts'
import { bytesIn, decodeClip, secondsIn } from './sound-in.ts'
import type { InputAudio } from './sound-in.ts'

/** An item that a client wrote, and the audio in it that is still to be heard. */
interface ClientItem {
  readonly item: Item
  readonly sounds: readonly { readonly contentIndex: number; readonly audio: InputAudio }[]
}

interface ItemOf {
  readonly format: WireAudioFormat
  readonly audioSecondsMax: number
  readonly newId: (prefix: string) => string
}

export function itemFrom(wire: ItemWire, of: ItemOf): ClientItem | { readonly refusal: Refusal } {
  const known = { id: wire.id ?? of.newId('item'), status: 'completed' } as const
  if (wire.type === 'function_call') {
    const callId = wire.call_id ?? of.newId('call')
    const { type, name } = wire
    return { item: { ...known, type, name, callId, arguments: wire.arguments }, sounds: [] }
  }
  if (wire.type === 'function_call_output')
    return { item: { ...known, type: wire.type, callId: wire.call_id, output: wire.output }, sounds: [] }

  const sounds: { contentIndex: number; audio: InputAudio }[] = []
  for (const [contentIndex, part] of wire.content.entries()) {
    if (!needsHearing(part)) continue
    if (secondsIn(bytesIn(part.audio), of.format) > of.audioSecondsMax)
      return { refusal: notAudio(contentIndex, `it is longer than ${of.audioSecondsMax} seconds`) }
    const audio = decodeClip(part.audio, of.format)
    if (!audio) return { refusal: notAudio(contentIndex, 'it is not base64') }
    sounds.push({ contentIndex, audio })
  }
  const parts = wire.content.map((part) => partFrom(part, wire.role === 'assistant'))
  return { item: { ...known, type: 'message', role: wire.role, parts }, sounds }
}

function partFrom(part: PartWire, isAssistant: boolean): ContentPart {
  if ('text' in part) return { type: 'text', text: part.text }
  const transcript = part.transcript ?? null
  if (isAssistant) return { type: 'spoken', transcript: transcript ?? '' }
  return transcript === null ? { type: 'heard', transcript } : { type: 'heard', transcript, text: transcript }
}

function needsHearing(part: PartWire): part is PartWire & { readonly audio: string } {
  return part.type === 'input_audio' && typeof part.audio === 'string' && typeof part.transcript !== 'string'
}

function notAudio(index: number, why: string): Refusal {
  const param = `item.content[${index}].audio`
  return refused('invalid_value', `Invalid value for '${param}': ${why}.`, param)
}

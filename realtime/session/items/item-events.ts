import type { Clock } from '../../../actors/ports.ts'
import type { ClientEvent } from '../../wire/client-events.ts'
import { refused, shortened } from '../../wire/refusal.ts'
import type { Refusal } from '../../wire/refusal.ts'
import type { ServerEvent } from '../../wire/server-events.ts'
import { clipSeconds } from '../audio-clip.ts'
import { createBucket } from '../bucket.ts'
import { itemFrom } from '../input/client-item.ts'
import { front } from './conversation.ts'
import type { Conversation } from './conversation.ts'
import type { TurnTranscription } from '../input/transcription.ts'
import type { Item, MessageItem } from './items.ts'
import type { KeptAudio } from './kept-audio.ts'
import type { SessionLimits } from '../limits.ts'
import type { Settings } from '../settings/settings.ts'
import { encodeClip } from '../output/audio-out.ts'

/** What clients do to items. */
export interface ItemEvents {
  create(event: Of<'conversation.item.create'>): Refusal | undefined
  retrieve(event: Of<'conversation.item.retrieve'>): Refusal | undefined
  truncate(event: Of<'conversation.item.truncate'>): Refusal | undefined
  delete(event: Of<'conversation.item.delete'>): Refusal | undefined
  /** Puts an item in its place and tells what had to leave for it; resolves to the item before. */
  readonly insert: (item: Item, after?: string) => string | null
}

type Of<Type extends ClientEvent['type']> = Extract<ClientEvent, { type: Type }>

interface ItemEventsPorts {
  readonly conversation: Conversation
  readonly kept: KeptAudio
  readonly transcription: TurnTranscription
  readonly limits: SessionLimits
  readonly clock: Clock
  settings(): Settings
  readonly emit: (event: ServerEvent) => void
  readonly newId: (prefix: string) => string
  /** True when the item is being spoken just now, and will be known as heard so far. */
  truncateSpoken(itemId: string, playedMs: number): boolean
}

export function createItemEvents(ports: ItemEventsPorts): ItemEvents {
  const { conversation, kept, transcription, limits } = ports
  const retrievable = createBucket(limits.retrievedSecondsPerMinute, limits.retrievedSecondsPerMinute / 60)

  function forget(itemId: string): void {
    transcription.forget(itemId)
    kept.forget(itemId)
    ports.emit({ type: 'conversation.item.deleted', fields: { item_id: itemId } })
  }

  function insert(item: Item, after?: string): string | null {
    const { previous, gone } = conversation.insert(item, after)
    for (const itemId of gone) forget(itemId)
    return previous !== null && gone.includes(previous) ? null : previous
  }

  return {
    insert,
    create({ item: wire, previous_item_id }) {
      const after = previous_item_id ?? undefined
      const format = ports.settings().inputFormat
      const made = itemFrom(wire, { format, audioSecondsMax: limits.itemAudioSeconds, newId: ports.newId })
      if ('refusal' in made) return made.refusal
      const { item, clips } = made
      const refusal = complaintAbout(item, after, conversation)
      if (refusal) return refusal
      if (transcription.waiting + clips.length > limits.transcriptions)
        return tooMuchToTranscribe(limits.transcriptions)
      const previous = insert(item, after)
      ports.emit({ type: 'conversation.item.added', item, after: previous })
      ports.emit({ type: 'conversation.item.done', item, after: previous })
      for (const { contentIndex, audio } of clips) {
        kept.keep(item.id, audio)
        transcription.transcribe({ itemId: item.id, contentIndex, audio, transcribedIn: () => undefined })
      }
      return undefined
    },
    retrieve({ item_id }) {
      const item = conversation.get(item_id)
      if (!item) return missing('retriev', item_id)
      const found = kept.find(item_id)
      const audio = found && retrievable.take(clipSeconds(found), ports.clock.elapsedMs()) ? found : undefined
      const { inputFormat, outputFormat } = ports.settings()
      const format = item.type === 'message' && item.role === 'assistant' ? outputFormat : inputFormat
      ports.emit({
        type: 'conversation.item.retrieved',
        item,
        ...(audio ? { audio: encodeClip(audio, format) } : {}),
      })
      return undefined
    },
    truncate(event) {
      const { item_id, content_index, audio_end_ms } = event
      const item = conversation.get(item_id)
      if (!item) return missing('truncat', item_id)
      if (item.type !== 'message' || item.role !== 'assistant') return notSpoken()
      if (!ports.truncateSpoken(item_id, audio_end_ms)) {
        const refusal = truncateItem(item, event)
        if (refusal) return refusal
      }
      ports.emit({ type: 'conversation.item.truncated', fields: { item_id, content_index, audio_end_ms } })
      return undefined
    },
    delete({ item_id }) {
      if (!conversation.remove(item_id)) return missing('delet', item_id)
      forget(item_id)
      return undefined
    },
  }

  function truncateItem(
    item: MessageItem,
    { content_index, audio_end_ms }: Of<'conversation.item.truncate'>,
  ): Refusal | undefined {
    const part = item.parts[content_index]
    // clients say 0 for what never sounded, which is as good as true
    if (part?.type !== 'spoken') return audio_end_ms === 0 ? undefined : notSpoken()
    const { spoken } = part
    if (spoken && audio_end_ms > Math.ceil(spoken.sentMs)) return tooShort(spoken.sentMs, audio_end_ms)
    const cut = { ...part, transcript: '', ...(spoken ? { spoken: { ...spoken, playedMs: audio_end_ms } } : {}) }
    conversation.replace({ ...item, parts: item.parts.with(content_index, cut) })
    kept.cut(item.id, audio_end_ms)
    return undefined
  }
}

export function tooMuchToTranscribe(most: number): Refusal {
  const message = `At most ${most} turns wait to be heard at once. Wait for their transcriptions.`
  return { type: 'rate_limit_error', code: 'rate_limit_exceeded', message, param: null }
}

function complaintAbout(item: Item, after: string | undefined, conversation: Conversation): Refusal | undefined {
  if (conversation.get(item.id)) return refused('invalid_value', `There is an item '${item.id}' already.`, 'item.id')
  if (after !== undefined && after !== front && !conversation.get(after))
    return refused('invalid_value', `There is no item '${after}' to come after.`, 'previous_item_id')
  if (item.type === 'function_call_output' && !conversation.hasCall(item.callId))
    return refused('invalid_value', `There is no call '${item.callId}' that this would answer.`, 'item.call_id')
  return undefined
}

function missing(doing: 'retriev' | 'truncat' | 'delet', itemId: string): Refusal {
  return refused(
    `item_${doing}e_invalid_item_id`,
    `Error ${doing}ing item: the item with id '${shortened(itemId)}' does not exist.`,
    'item_id',
  )
}

function notSpoken(): Refusal {
  return refused('unsupported_content_type', 'Only model output audio messages can be truncated', 'item_id')
}

function tooShort(haveMs: number, wantedMs: number): Refusal {
  return refused(
    'invalid_value',
    `Audio content of ${Math.ceil(haveMs)}ms is already shorter than ${wantedMs}ms`,
    'audio_end_ms',
  )
}

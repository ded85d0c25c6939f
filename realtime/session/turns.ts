import type { ResponseWire } from '../wire/client-events.ts'
import { refused } from '../wire/refusal.ts'
import type { Refusal } from '../wire/refusal.ts'
import type { ServerEvent } from '../wire/server-events.ts'
import type { Conversation } from './items/conversation.ts'
import type { EndedTurn } from './input/turn-input.ts'
import type { TurnTranscription } from './input/transcription.ts'
import { tooMuchToTranscribe } from './items/item-events.ts'
import type { ItemEvents } from './items/item-events.ts'
import { playedLess } from './items/items.ts'
import type { InputAudioPart, Item } from './items/items.ts'
import type { KeptAudio } from './items/kept-audio.ts'
import type { Playhead } from './output/playhead.ts'
import type { Responses } from './output/responses.ts'
import type { Settings } from './settings/settings.ts'
import type { TurnTimes } from './output/stopwatch.ts'
import type { SessionPorts } from './ports.ts'

/** Who speaks when: a turn that ends becomes an item and is answered, one that begins ends the answer before it. */
export interface Turns {
  readonly speechStarted: () => void
  readonly ended: (turn: EndedTurn) => Refusal | undefined
  respond(wire: ResponseWire | undefined): Refusal | undefined
  /** After an answer: when nobody says anything for long enough, the model is asked again. */
  awaitVoice(): void
  stopWaiting(): void
  /** What is sent and not played yet will not be heard. */
  cutPlaying(): void
}

interface TurnsParts {
  readonly ports: SessionPorts
  readonly conversation: Conversation
  readonly transcription: TurnTranscription
  readonly items: ItemEvents
  readonly kept: KeptAudio
  readonly playhead: Playhead
  readonly responses: Responses
  readonly settings: () => Settings
  readonly emit: (event: ServerEvent) => void
  readonly isDraining: () => boolean
  takeSilence(): { readonly startMs: number; readonly endMs: number }
}

export function createTurns(parts: TurnsParts): Turns {
  const { ports, emit, playhead, responses } = parts
  let lastTurn: TurnTimes | undefined
  let waitForVoice: NodeJS.Timeout | undefined
  const stopWaiting = (): void => clearTimeout(waitForVoice)

  function cutPlaying(): void {
    const aheadMs = playhead.aheadMs(ports.clock.elapsedMs())
    if (aheadMs === 0) return
    playhead.cut()
    const last = parts.conversation.items.findLast((item) => item.type === 'message' && item.role === 'assistant')
    const cut = last?.type === 'message' ? playedLess(last, aheadMs) : undefined
    if (cut) parts.conversation.replace(cut)
  }

  function transcribe({ itemId, audio }: EndedTurn, times: TurnTimes): void {
    parts.kept.keep(itemId, audio)
    parts.transcription.transcribe({
      itemId,
      contentIndex: 0,
      audio,
      transcribedIn(ms) {
        times.asrMs = ms
        ports.measure?.('asr_ms', ms)
      },
    })
  }

  function commit(itemId: string, part: InputAudioPart): void {
    stopWaiting()
    const item: Item = { type: 'message', id: itemId, role: 'user', status: 'completed', parts: [part] }
    const after = parts.items.insert(item)
    emit({ type: 'input_audio_buffer.committed', fields: { previous_item_id: after, item_id: itemId } })
    emit({ type: 'conversation.item.added', item, after })
    emit({ type: 'conversation.item.done', item, after })
  }

  function answerTurn(unlessSilent?: string): void {
    const refusal = create(undefined, unlessSilent)
    if (refusal) emit({ type: 'error', refusal, causedBy: null })
  }

  function create(wire: ResponseWire | undefined, unlessSilent?: string): Refusal | undefined {
    if (ports.kind === 'transcription') return noAnswers
    if (parts.isDraining()) return goingAway
    const outside = wire?.conversation === 'none'
    const refusal = responses.create({
      wire,
      ...(unlessSilent === undefined ? {} : { unlessSilent }),
      ...(lastTurn && !outside ? { times: lastTurn } : {}),
    })
    if (refusal || outside) return refusal
    stopWaiting()
    lastTurn = undefined
    return undefined
  }

  function triggerTimeout(): void {
    const { startMs, endMs } = parts.takeSilence()
    const itemId = ports.newId('item')
    emit({
      type: 'input_audio_buffer.timeout_triggered',
      fields: { audio_start_ms: startMs, audio_end_ms: endMs, item_id: itemId },
    })
    commit(itemId, { type: 'input_audio', transcript: '', text: '' })
    answerTurn()
  }

  return {
    speechStarted() {
      stopWaiting()
      if (!parts.settings().turnDetection?.interruptResponse) return
      if (responses.active === undefined) cutPlaying()
      else responses.interrupt()
    },
    ended(turn) {
      const { limits } = ports
      if (parts.transcription.waiting >= limits.transcriptions) return tooMuchToTranscribe(limits.transcriptions)
      const times: TurnTimes = { spokenAt: turn.spokenAt }
      lastTurn = times
      commit(turn.itemId, { type: 'input_audio', transcript: null })
      transcribe(turn, times)
      if (turn.vadMs === undefined) return undefined
      times.vadMs = turn.vadMs
      ports.measure?.('vad_ms', turn.vadMs)
      if (parts.settings().turnDetection?.createResponse && ports.kind === 'realtime') answerTurn(turn.itemId)
      return undefined
    },
    respond: (wire) => create(wire),
    awaitVoice() {
      stopWaiting()
      const turns = parts.settings().turnDetection
      if (turns?.type !== 'server_vad' || turns.idleTimeoutMs === null || parts.isDraining()) return
      waitForVoice = setTimeout(triggerTimeout, turns.idleTimeoutMs + playhead.aheadMs(ports.clock.elapsedMs()))
    },
    stopWaiting,
    cutPlaying,
  }
}

const noAnswers = refused('invalid_value', 'A transcription session gives no responses.', 'type')

const goingAway: Refusal = {
  type: 'server_error',
  code: 'server_restarting',
  message: 'This server is going away and starts no new response. Connect again.',
  param: null,
}

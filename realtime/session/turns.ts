import type { ResponseWire } from '../wire/client-events.ts'
import { refused } from '../wire/refusal.ts'
import type { Refusal } from '../wire/refusal.ts'
import type { ServerEvent } from '../wire/server-events.ts'
import type { Conversation } from './conversation.ts'
import type { EndedTurn } from './ears.ts'
import type { TurnTranscription } from './hearing.ts'
import { tooMuchToTranscribe } from './item-events.ts'
import type { ItemEvents } from './item-events.ts'
import { heardLess } from './items.ts'
import type { HeardPart, Item } from './items.ts'
import type { KeptAudio } from './kept-sound.ts'
import type { Playhead } from './playhead.ts'
import type { Responses } from './responses.ts'
import type { Settings } from './settings.ts'
import type { TurnTimes } from './stopwatch.ts'
import type { SessionPorts } from './surroundings.ts'

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

interface TurnsOf {
  readonly around: SessionPorts
  readonly conversation: Conversation
  readonly hearing: TurnTranscription
  readonly items: ItemEvents
  readonly kept: KeptAudio
  readonly playhead: Playhead
  readonly responses: Responses
  readonly settings: () => Settings
  readonly emit: (event: ServerEvent) => void
  readonly isDraining: () => boolean
  takeSilence(): { readonly startMs: number; readonly endMs: number }
}

export function createTurns(of: TurnsOf): Turns {
  const { around, emit, playhead, responses } = of
  let lastTurn: TurnTimes | undefined
  let waitForVoice: NodeJS.Timeout | undefined
  const stopWaiting = (): void => clearTimeout(waitForVoice)

  function cutPlaying(): void {
    const aheadMs = playhead.aheadMs(around.clock.elapsedMs())
    if (aheadMs === 0) return
    playhead.cut()
    const last = of.conversation.items.findLast((item) => item.type === 'message' && item.role === 'assistant')
    const cut = last?.type === 'message' ? heardLess(last, aheadMs) : undefined
    if (cut) of.conversation.replace(cut)
  }

  function hear({ itemId, audio }: EndedTurn, times: TurnTimes): void {
    of.kept.keep(itemId, audio)
    of.hearing.hear({
      itemId,
      contentIndex: 0,
      audio,
      heardIn(ms) {
        times.asrMs = ms
        around.measure?.('asr_ms', ms)
      },
    })
  }

  function commit(itemId: string, part: HeardPart): void {
    stopWaiting()
    const item: Item = { type: 'message', id: itemId, role: 'user', status: 'completed', parts: [part] }
    const after = of.items.insert(item)
    emit({ type: 'input_audio_buffer.committed', fields: { previous_item_id: after, item_id: itemId } })
    emit({ type: 'conversation.item.added', item, after })
    emit({ type: 'conversation.item.done', item, after })
  }

  function answerTurn(unlessSilent?: string): void {
    const refusal = create(undefined, unlessSilent)
    if (refusal) emit({ type: 'error', refusal, causedBy: null })
  }

  function create(wire: ResponseWire | undefined, unlessSilent?: string): Refusal | undefined {
    if (around.kind === 'transcription') return noAnswers
    if (of.isDraining()) return goingAway
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
    const { startMs, endMs } = of.takeSilence()
    const itemId = around.newId('item')
    emit({
      type: 'input_audio_buffer.timeout_triggered',
      fields: { audio_start_ms: startMs, audio_end_ms: endMs, item_id: itemId },
    })
    commit(itemId, { type: 'heard', transcript: '', text: '' })
    answerTurn()
  }

  return {
    speechStarted() {
      stopWaiting()
      if (!of.settings().turnDetection?.interruptResponse) return
      if (responses.active === undefined) cutPlaying()
      else responses.interrupt()
    },
    ended(turn) {
      const { limits } = around
      if (of.hearing.waiting >= limits.hearings) return tooMuchToTranscribe(limits.hearings)
      const times: TurnTimes = { spokenAt: turn.spokenAt }
      lastTurn = times
      commit(turn.itemId, { type: 'heard', transcript: null })
      hear(turn, times)
      if (turn.vadMs === undefined) return undefined
      times.vadMs = turn.vadMs
      around.measure?.('vad_ms', turn.vadMs)
      if (of.settings().turnDetection?.createResponse && around.kind === 'realtime') answerTurn(turn.itemId)
      return undefined
    },
    respond: (wire) => create(wire),
    awaitVoice() {
      stopWaiting()
      const turns = of.settings().turnDetection
      if (turns?.type !== 'server_vad' || turns.idleTimeoutMs === null || of.isDraining()) return
      waitForVoice = setTimeout(triggerTimeout, turns.idleTimeoutMs + playhead.aheadMs(around.clock.elapsedMs()))
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

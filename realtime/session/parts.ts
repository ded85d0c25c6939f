import { heardRate, spokenRate } from '../../actors/conversation/ports.ts'
import type { HeardTurn } from '../../actors/conversation/ports.ts'
import type { ResponseWire } from '../wire/client-events.ts'
import { refused } from '../wire/refusal.ts'
import type { Refusal } from '../wire/refusal.ts'
import type { ServerEvent } from '../wire/server-events.ts'
import { settingsPatch } from '../wire/settings-schema.ts'
import type { SettingsWire } from '../wire/settings-schema.ts'
import { createConversation } from './conversation.ts'
import { createEars } from './ears.ts'
import type { Ears, EndedTurn } from './ears.ts'
import { createHearing } from './hearing.ts'
import { createItemEvents, tooMuchToHear } from './item-events.ts'
import type { ItemEvents } from './item-events.ts'
import type { HeardPart, Item, Message } from './items.ts'
import { createKeptSound } from './kept-sound.ts'
import { openingSettings } from './opening.ts'
import { createPlayhead } from './playhead.ts'
import { createRates } from './rates.ts'
import { createResponses } from './responses.ts'
import type { Responses } from './responses.ts'
import { defaultSettings, withPatch } from './settings.ts'
import type { Settings } from './settings.ts'
import { lockedComplaint, unknownVoice } from './settings-rules.ts'
import type { TurnTimes } from './stopwatch.ts'
import type { SessionSurroundings } from './surroundings.ts'

/** The parts of a session, wired to each other. */
export interface SessionParts {
  readonly ears: Ears
  readonly items: ItemEvents
  readonly responses: Responses
  greet(): void
  update(wire: SettingsWire): Refusal | undefined
  respond(wire: ResponseWire | undefined): Refusal | undefined
  clearOutput(): undefined
  isIdle(): boolean
  stop(): void
}

export interface PartsOf {
  readonly around: SessionSurroundings
  readonly emit: (event: ServerEvent) => void
  readonly isDraining: () => boolean
  /** Nothing is being said or heard any more. */
  readonly idle: () => void
}

export function createParts({ around, emit, isDraining, idle }: PartsOf): SessionParts {
  const sessionId = around.newId('sess')
  const conversationId = around.newId('conv')
  const expiresAt = Math.floor(around.clock.nowMs() / 1_000) + around.limits.sessionSeconds
  let settings = firstSettings(around)
  let lastTurn: TurnTimes | undefined
  let lastResponse = ''
  let waitForVoice: NodeJS.Timeout | undefined
  const current = (): Settings => settings

  const conversation = createConversation(around.limits)
  const kept = createKeptSound(around.limits.keptSoundSeconds)
  const playhead = createPlayhead()
  const { newId, limits, clock } = around
  const hearing = createHearing({ ...around, emit, settings: current, heard, idle })
  const items = createItemEvents({
    conversation,
    kept,
    hearing,
    limits,
    emit,
    newId,
    settings: current,
    truncateSpoken: (itemId, heardMs) => responses.truncate(itemId, heardMs),
  })
  const responses = createResponses({
    surroundings: around,
    conversationId,
    conversation: { items: conversation.items, append: items.insert, replace: conversation.replace },
    rates: createRates(limits),
    playhead,
    settings: current,
    emit,
    known: hearing.known,
    keep: (itemId, pcm) => kept.keep(itemId, pcm, spokenRate),
    over({ inConversation }) {
      if (inConversation) awaitVoice()
      idle()
    },
  })
  const ears = createEars({ ...around, emit, settings: current, speechStarted, turnEnded })

  const view = () => ({ id: sessionId, kind: around.kind, model: around.model, expiresAt, settings })

  function heard(itemId: string, contentIndex: number, turn: HeardTurn): void {
    const item = conversation.get(itemId)
    if (item?.type !== 'message') return
    const language = turn.languages[0]
    const part: HeardPart = {
      type: 'heard',
      transcript: settings.transcription ? turn.text : null,
      text: turn.text,
      ...(language === undefined ? {} : { language }),
    }
    conversation.replace({ ...item, parts: item.parts.with(contentIndex, part) })
  }

  function speechStarted(): void {
    clearTimeout(waitForVoice)
    if (!settings.turnDetection?.interruptResponse) return
    if (responses.active === undefined) cutPlaying()
    else responses.interrupt()
  }

  /** The answer was all sent and is still playing: what is not played yet will not be heard. */
  function cutPlaying(): void {
    const aheadMs = playhead.aheadMs(clock.elapsedMs())
    if (aheadMs === 0) return
    playhead.cut()
    const last = conversation.items.findLast((item) => item.type === 'message' && item.role === 'assistant')
    const cut = last?.type === 'message' ? heardLess(last, aheadMs) : undefined
    if (cut) conversation.replace(cut)
  }

  function turnEnded(turn: EndedTurn): void {
    if (hearing.waiting >= limits.hearings)
      return emit({ type: 'error', refusal: tooMuchToHear(limits.hearings), causedBy: null })
    const times: TurnTimes = { spokenAt: turn.spokenAt }
    lastTurn = times
    commit(turn.itemId, { type: 'heard', transcript: null })
    kept.keep(turn.itemId, turn.pcm, heardRate)
    hearing.hear({
      itemId: turn.itemId,
      contentIndex: 0,
      pcm: turn.pcm,
      heardIn(ms) {
        times.asrMs = ms
        around.measure?.('asr_ms', ms)
      },
    })
    if (turn.vadMs === undefined) return
    times.vadMs = turn.vadMs
    around.measure?.('vad_ms', turn.vadMs)
    if (settings.turnDetection?.createResponse && around.kind === 'realtime') answerTurn(turn.itemId)
  }

  function commit(itemId: string, part: HeardPart): void {
    clearTimeout(waitForVoice)
    const item: Item = { type: 'message', id: itemId, role: 'user', status: 'completed', parts: [part] }
    const after = items.insert(item)
    emit({ type: 'input_audio_buffer.committed', fields: { previous_item_id: after, item_id: itemId } })
    emit({ type: 'conversation.item.added', item, after })
    emit({ type: 'conversation.item.done', item, after })
  }

  function answerTurn(unlessSilent?: string): void {
    const refusal = create(undefined, unlessSilent)
    if (refusal) emit({ type: 'error', refusal, causedBy: null })
  }

  function create(wire: ResponseWire | undefined, unlessSilent?: string): Refusal | undefined {
    if (around.kind === 'transcription')
      return refused('invalid_value', 'A transcription session gives no responses.', 'type')
    if (isDraining()) return goingAway
    const outside = wire?.conversation === 'none'
    const refusal = responses.create({
      wire,
      ...(unlessSilent === undefined ? {} : { unlessSilent }),
      ...(lastTurn && !outside ? { times: lastTurn } : {}),
    })
    if (refusal || outside) return refusal
    clearTimeout(waitForVoice)
    lastTurn = undefined
    lastResponse = responses.active ?? ''
    return undefined
  }

  /** When nobody says anything after an answer, the model is asked again. */
  function awaitVoice(): void {
    clearTimeout(waitForVoice)
    const turns = settings.turnDetection
    if (turns?.type !== 'server_vad' || turns.idleTimeoutMs === null || isDraining()) return
    waitForVoice = setTimeout(triggerTimeout, turns.idleTimeoutMs + playhead.aheadMs(clock.elapsedMs()))
    waitForVoice.unref()
  }

  function triggerTimeout(): void {
    const { startMs, endMs } = ears.takeSilence()
    const itemId = newId('item')
    emit({
      type: 'input_audio_buffer.timeout_triggered',
      fields: { audio_start_ms: startMs, audio_end_ms: endMs, item_id: itemId },
    })
    commit(itemId, { type: 'heard', transcript: '', text: '' })
    answerTurn()
  }

  return {
    ears,
    items,
    responses,
    greet() {
      emit({ type: 'session.created', session: view() })
      if (around.dialect === 'beta' && around.kind === 'realtime')
        emit({ type: 'conversation.created', conversationId })
    },
    update(wire) {
      const refusal = complaintAbout(wire, settings, around)
      if (refusal) return refusal
      const before = settings
      settings = withPatch(settings, settingsPatch(wire))
      ears.settingsChanged(before)
      if (settings.turnDetection !== before.turnDetection) clearTimeout(waitForVoice)
      emit({ type: 'session.updated', session: view() })
      return undefined
    },
    respond: (wire) => create(wire),
    clearOutput() {
      cutPlaying()
      emit({ type: 'output_audio_buffer.cleared', fields: { response_id: lastResponse } })
    },
    isIdle: () => responses.running === 0 && hearing.waiting === 0,
    stop() {
      clearTimeout(waitForVoice)
      ears.close()
      hearing.stop()
      responses.stop()
    },
  }
}

function firstSettings(around: SessionSurroundings): Settings {
  const opened = openingSettings(around)
  if ('settings' in opened) return opened.settings
  around.log.warn('the settings of a token are not understood', { code: opened.refusal.code })
  return defaultSettings(around.voices.list()[0]?.id ?? '')
}

function complaintAbout(wire: SettingsWire, settings: Settings, around: SessionSurroundings): Refusal | undefined {
  if (wire.type !== undefined && wire.type !== around.kind)
    return refused('invalid_value', `This is a ${around.kind} session; its type does not change.`, 'session.type')
  const patch = settingsPatch(wire)
  if (patch.voice !== undefined && !around.voices.find(patch.voice))
    return unknownVoice(patch.voice, around.voices, 'session')
  return around.locked ? lockedComplaint(patch, settings, 'session') : undefined
}

function heardLess(item: Message, aheadMs: number): Message | undefined {
  const index = item.parts.findIndex((part) => part.type === 'spoken' && part.spoken !== undefined)
  const part = item.parts[index]
  if (part?.type !== 'spoken' || !part.spoken || part.spoken.heardMs !== undefined) return undefined
  const heardMs = Math.max(0, part.spoken.sentMs - aheadMs)
  return { ...item, parts: item.parts.with(index, { ...part, spoken: { ...part.spoken, heardMs } }) }
}

const goingAway: Refusal = {
  type: 'server_error',
  code: 'server_restarting',
  message: 'This server is going away and starts no new response. Connect again.',
  param: null,
}

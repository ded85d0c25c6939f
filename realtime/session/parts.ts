import { spokenRate } from '../../actors/conversation/ports.ts'
import type { TranscribedTurn } from '../../actors/conversation/ports.ts'
import type { ServerEvent, SessionView } from '../wire/server-events.ts'
import { createConversation } from './items/conversation.ts'
import type { Conversation } from './items/conversation.ts'
import { TurnInput } from './input/turn-input.ts'
import { createTranscription } from './input/transcription.ts'
import { createItemEvents } from './items/item-events.ts'
import type { ItemEvents } from './items/item-events.ts'
import { createKeptAudio } from './items/kept-audio.ts'
import { openingSettings } from './settings/opening.ts'
import { createPlayhead } from './output/playhead.ts'
import { createRates } from './output/rates.ts'
import { Responses } from './output/responses.ts'
import { defaultSettings } from './settings/settings.ts'
import type { Settings } from './settings/settings.ts'
import type { SessionPorts } from './ports.ts'
import { createTurns } from './turns.ts'
import type { Turns } from './turns.ts'

/** The parts of a session, wired to each other. */
export interface SessionParts {
  readonly input: TurnInput
  readonly items: ItemEvents
  readonly responses: Responses
  readonly turns: Turns
  readonly settings: () => Settings
  change(settings: Settings): void
  view(): SessionView
  isIdle(): boolean
  stop(): void
}

interface PartsOptions {
  readonly ports: SessionPorts
  readonly conversationId: string
  readonly emit: (event: ServerEvent) => void
  readonly isDraining: () => boolean
  /** Nothing is being said or transcribed any more. */
  readonly idle: () => void
}

export function createParts({ ports, conversationId, emit, isDraining, idle }: PartsOptions): SessionParts {
  let current = firstSettings(ports)
  const settings = (): Settings => current
  const { newId, limits, clock } = ports
  const view = viewOf(ports, settings)

  const conversation = createConversation(limits)
  const kept = createKeptAudio(limits.keptAudioSeconds)
  const playhead = createPlayhead()
  const transcribed = putText(conversation, settings)
  const transcription = createTranscription({ ...ports, emit, settings, transcribed, idle })
  const truncateSpoken = (itemId: string, playedMs: number): boolean => responses.truncate(itemId, playedMs)
  const items = createItemEvents({
    conversation,
    kept,
    transcription,
    limits,
    clock,
    emit,
    newId,
    settings,
    truncateSpoken,
  })
  const responses = new Responses({
    ports,
    conversationId,
    conversation: { items: conversation.items, append: items.insert, replace: conversation.replace },
    rates: createRates(limits),
    playhead,
    settings,
    emit,
    known: transcription.known,
    keep: (itemId, pcm) => kept.keep(itemId, { pcm, rate: spokenRate }),
    over({ inConversation }) {
      if (inConversation) turns.awaitVoice()
      idle()
    },
  })
  const takeSilence = () => input.takeSilence()
  const turns = createTurns({
    ports,
    conversation,
    transcription,
    items,
    kept,
    playhead,
    responses,
    settings,
    emit,
    isDraining,
    takeSilence,
  })
  const input = new TurnInput({ ...ports, emit, settings, speechStarted: turns.speechStarted, turnEnded: turns.ended })

  return {
    input,
    items,
    responses,
    turns,
    settings,
    change(next) {
      const before = current
      current = next
      input.settingsChanged(before)
      if (next.turnDetection !== before.turnDetection) turns.stopWaiting()
    },
    view,
    isIdle: () => responses.running === 0 && transcription.waiting === 0,
    stop() {
      turns.stopWaiting()
      input.close()
      transcription.stop()
      responses.stop()
    },
  }
}

function viewOf({ newId, clock, limits, kind, model }: SessionPorts, settings: () => Settings) {
  const id = newId('sess')
  const expiresAt = Math.floor(clock.nowMs() / 1_000) + limits.sessionSeconds
  return (): SessionView => ({ id, kind, model, expiresAt, settings: settings() })
}

function putText(conversation: Conversation, settings: () => Settings) {
  return (itemId: string, contentIndex: number, { text, languages }: TranscribedTurn): void => {
    const item = conversation.get(itemId)
    if (item?.type !== 'message') return
    const transcript = settings().transcription ? text : null
    const [language] = languages
    const known = language === undefined ? {} : { language }
    conversation.replace({
      ...item,
      parts: item.parts.with(contentIndex, { type: 'input_audio', transcript, text, ...known }),
    })
  }
}

function firstSettings(ports: SessionPorts): Settings {
  const opened = openingSettings(ports)
  if ('settings' in opened) return opened.settings
  ports.log.warn('the settings of a token are not understood', { code: opened.refusal.code })
  return defaultSettings(ports.voices.list()[0]?.id ?? '')
}

import { spokenRate } from '../../actors/conversation/ports.ts'
import type { TranscribedTurn } from '../../actors/conversation/ports.ts'
import type { ServerEvent, SessionView } from '../wire/server-events.ts'
import { createConversation } from './conversation.ts'
import type { Conversation } from './conversation.ts'
import { TurnInput } from './ears.ts'
import { createHearing } from './hearing.ts'
import { createItemEvents } from './item-events.ts'
import type { ItemEvents } from './item-events.ts'
import { createKeptAudio } from './kept-sound.ts'
import { openingSettings } from './opening.ts'
import { createPlayhead } from './playhead.ts'
import { createRates } from './rates.ts'
import { Responses } from './responses.ts'
import { defaultSettings } from './settings.ts'
import type { Settings } from './settings.ts'
import type { SessionPorts } from './surroundings.ts'
import { createTurns } from './turns.ts'
import type { Turns } from './turns.ts'

/** The parts of a session, wired to each other. */
export interface SessionParts {
  readonly ears: TurnInput
  readonly items: ItemEvents
  readonly responses: Responses
  readonly turns: Turns
  readonly settings: () => Settings
  change(settings: Settings): void
  view(): SessionView
  isIdle(): boolean
  stop(): void
}

interface PartsOf {
  readonly around: SessionPorts
  readonly conversationId: string
  readonly emit: (event: ServerEvent) => void
  readonly isDraining: () => boolean
  /** Nothing is being said or heard any more. */
  readonly idle: () => void
}

export function createParts({ around, conversationId, emit, isDraining, idle }: PartsOf): SessionParts {
  let current = firstSettings(around)
  const settings = (): Settings => current
  const { newId, limits, clock } = around
  const view = viewOf(around, settings)

  const conversation = createConversation(limits)
  const kept = createKeptAudio(limits.keptAudioSeconds)
  const playhead = createPlayhead()
  const heard = putText(conversation, settings)
  const hearing = createHearing({ ...around, emit, settings, heard, idle })
  const truncateSpoken = (itemId: string, heardMs: number): boolean => responses.truncate(itemId, heardMs)
  const items = createItemEvents({ conversation, kept, hearing, limits, clock, emit, newId, settings, truncateSpoken })
  const responses = new Responses({
    surroundings: around,
    conversationId,
    conversation: { items: conversation.items, append: items.insert, replace: conversation.replace },
    rates: createRates(limits),
    playhead,
    settings,
    emit,
    known: hearing.known,
    keep: (itemId, pcm) => kept.keep(itemId, { pcm, rate: spokenRate }),
    over({ inConversation }) {
      if (inConversation) turns.awaitVoice()
      idle()
    },
  })
  const takeSilence = () => ears.takeSilence()
  const turns = createTurns({
    around,
    conversation,
    hearing,
    items,
    kept,
    playhead,
    responses,
    settings,
    emit,
    isDraining,
    takeSilence,
  })
  const ears = new TurnInput({ ...around, emit, settings, speechStarted: turns.speechStarted, turnEnded: turns.ended })

  return {
    ears,
    items,
    responses,
    turns,
    settings,
    change(next) {
      const before = current
      current = next
      ears.settingsChanged(before)
      if (next.turnDetection !== before.turnDetection) turns.stopWaiting()
    },
    view,
    isIdle: () => responses.running === 0 && hearing.waiting === 0,
    stop() {
      turns.stopWaiting()
      ears.close()
      hearing.stop()
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
      parts: item.parts.with(contentIndex, { type: 'heard', transcript, text, ...known }),
    })
  }
}

function firstSettings(around: SessionPorts): Settings {
  const opened = openingSettings(around)
  if ('settings' in opened) return opened.settings
  around.log.warn('the settings of a token are not understood', { code: opened.refusal.code })
  return defaultSettings(around.voices.list()[0]?.id ?? '')
}

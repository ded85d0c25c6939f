import { decide } from '../../realtime/session/decide.ts'
import { conversationOf } from '../../realtime/session/items/conversation.ts'
import type { SessionLimits } from '../../realtime/session/limits.ts'
import { defaultSessionLimits } from '../../realtime/session/limits.ts'
import type { SessionKind } from '../../realtime/session/ports.ts'
import type { SessionEffect, SessionEvent } from '../../realtime/session/protocol.ts'
import { defaultSettings } from '../../realtime/session/settings/settings.ts'
import type { Settings } from '../../realtime/session/settings/settings.ts'
import { newSession } from '../../realtime/session/state.ts'
import type { PlannedResponse, SessionState } from '../../realtime/session/state.ts'
import type { ServerEvent } from '../../realtime/wire/server-events.ts'

interface DecidedOptions {
  readonly kind?: SessionKind
  readonly settings?: Partial<Settings>
  readonly limits?: Partial<SessionLimits>
}

/** The conclusions of a session without what does them: responses are planned at once, everything else is told. */
export class DecidedSession {
  state: SessionState
  nowMs = 1_000
  readonly effects: SessionEffect[] = []
  #responses = 0

  constructor({ kind = 'realtime', settings = {}, limits = {} }: DecidedOptions = {}) {
    const about = {
      id: 'sess',
      conversationId: 'conv',
      kind,
      tellsConversation: false,
      tellsBackchannels: true,
      model: 'vaak-realtime',
      expiresAt: 0,
      limits: { ...defaultSessionLimits, ...limits },
    }
    this.state = newSession(about, { ...defaultSettings('asha'), ...settings }, conversationOf([]))
  }

  /** What follows from the events. */
  tell(...events: readonly SessionEvent[]): readonly SessionEffect[] {
    const before = this.effects.length
    for (const event of events) this.#tell(event)
    return this.effects.slice(before)
  }

  sent(since: readonly SessionEffect[] = this.effects): readonly ServerEvent[] {
    return since.flatMap((effect) => (effect.type === 'Send' ? [effect.event] : []))
  }

  /** The types of what follows, those of events for what is sent. */
  types(since: readonly SessionEffect[]): readonly string[] {
    return since.map((effect) => (effect.type === 'Send' ? effect.event.type : effect.type))
  }

  #tell(event: SessionEvent): void {
    const { state, effects } = decide(this.state, event, this.nowMs)
    this.state = state
    this.effects.push(...effects)
    for (const effect of effects) if (effect.type === 'PlanResponse') this.#plan(effect)
  }

  #plan({ wire, unlessSilent, causedBy }: Extract<SessionEffect, { type: 'PlanResponse' }>): void {
    const planned: PlannedResponse = {
      settings: this.state.settings,
      voice: 'asha',
      inConversation: wire?.conversation !== 'none',
      metadata: null,
      input: undefined,
    }
    this.#responses += 1
    this.#tell({ type: 'ResponsePlanned', responseId: `resp_${this.#responses}`, planned, unlessSilent, causedBy })
  }
}

export const aClip = (ms: number) => ({ pcm: new Int16Array(24 * ms), rate: 24_000 })

export const aClause = (text: string) => ({
  text,
  samples: new Int16Array(240),
  words: [{ text, startMs: 0, endMs: 10 }],
})

export const aMessage = (id: string, text = 'typed') => ({
  type: 'AddItem' as const,
  item: {
    type: 'message' as const,
    id,
    role: 'user' as const,
    status: 'completed' as const,
    parts: [{ type: 'text' as const, text }],
  },
  clips: [],
  after: undefined,
  causedBy: null,
})

export const turnStarts = (itemId: string) => ({ type: 'SpeechStarted' as const, itemId, startMs: 0 })

export const turnStops = (itemId: string) => ({
  type: 'SpeechStopped' as const,
  itemId,
  endMs: 500,
  vadMs: 20,
  audio: aClip(500),
  spokenAtMs: 900,
})

export const turnCommitted = (itemId: string) => ({
  type: 'CommitTurn' as const,
  itemId,
  audio: aClip(500),
  spokenAtMs: 900,
  inputEnd: 8_000,
  causedBy: 'mine',
})

export const responseWanted = (conversation: 'auto' | 'none' = 'auto') => ({
  type: 'CreateResponse' as const,
  wire: { conversation },
  causedBy: 'mine',
})

export const responseCompleted = (responseId: string) => ({
  type: 'ResponseEnded' as const,
  responseId,
  end: { status: 'completed' as const, details: null },
})

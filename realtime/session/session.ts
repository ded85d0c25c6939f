import { parseFrame } from '../wire/client-events.ts'
import type { ClientEvent } from '../wire/client-events.ts'
import { refused } from '../wire/refusal.ts'
import type { Refusal } from '../wire/refusal.ts'
import { SessionActor } from './actor.ts'
import { createEventLine, lineFull } from './event-line.ts'
import { findWords, handleClientEvent } from './handle.ts'
import { conversationOf } from './items/conversation.ts'
import type { RunningSession, SessionPorts } from './ports.ts'
import { openingSettings } from './settings/opening.ts'
import { defaultSettings, withFormats, withRecording } from './settings/settings.ts'
import type { Settings } from './settings/settings.ts'
import { lockedPart, recordingComplaint } from './settings/settings-rules.ts'
import { newSession } from './state.ts'
import type { SessionState } from './state.ts'

export type { SessionLimits } from './limits.ts'
export type { Dialect, KeptSession, RunningSession, SessionKind, SessionPorts, SessionStage, Speaker } from './ports.ts'

interface ReceivedEvent {
  readonly event: ClientEvent
  /** The id of the client's event. */
  readonly causedBy: string | null
}

/** One conversation over one socket: `session.created` is sent before this returns. */
export function openSession(ports: SessionPorts): RunningSession {
  const wanted = wantedSettings(ports)
  const unrecorded = recordingComplaint(wanted, ports.recordings)
  const actor = new SessionActor(ports, firstState(ports, { ...wanted, keep: wanted.keep && !unrecorded }))
  const refuse = (refusal: Refusal, causedBy: string | null): void => actor.tell({ type: 'Refuse', refusal, causedBy })
  actor.tell({ type: 'Open' })
  // whoever relies on a recording learns that there is none
  if (unrecorded) refuse(unrecorded, null)
  void loadWords({ ports, actor, causedBy: null })
  const handle = createEventLine(({ event, causedBy }: ReceivedEvent) => {
    if (actor.state.phase === 'closed') return undefined
    // a bug in here must not end the sessions of everybody else in the process
    const failed = (error: unknown): void => {
      ports.log.error('client event failed', { type: event.type, error })
      refuse(internalError, causedBy)
    }
    try {
      return handleClientEvent(event, { ports, actor, causedBy })?.catch(failed)
    } catch (error) {
      failed(error)
      return undefined
    }
  })
  return {
    receive(frame) {
      if (actor.state.phase === 'closed') return
      const parsed = parseFrame(frame, ports.limits)
      const causedBy = parsed.eventId
      if ('refusal' in parsed) refuse(parsed.refusal, causedBy)
      else if (!handle({ event: parsed.event, causedBy }, frame.length)) refuse(heldUp, causedBy)
    },
    hear: (pcm) => {
      if (actor.state.phase !== 'closed') actor.input.hear(pcm)
    },
    reportPlayback: (aheadMs) => actor.tell({ type: 'PlaybackReported', aheadMs }),
    receiveBinary: () => refuse(binaryFrame, null),
    drain: () => actor.tell({ type: 'Drain' }),
    end: (isDone = false) => actor.tell({ type: 'SocketGone', isDone }),
  }
}

/** Those that a secret names, or the session had elsewhere. Without them it goes on as if it had named none. */
async function loadWords(options: Parameters<typeof findWords>[1]): Promise<void> {
  const { settings } = options.actor.state
  if (typeof settings.vocabulary !== 'string' || (await findWords(settings.vocabulary, options))) return
  options.actor.tell({ type: 'UpdateSettings', settings: { ...options.actor.state.settings, vocabulary: null } })
}

function firstState(ports: SessionPorts, wanted: Settings): SessionState {
  const { newId, clock, limits, kind, model, dialect, listener, resumed } = ports
  const about = {
    id: resumed?.id ?? newId('sess'),
    conversationId: resumed?.conversationId ?? newId('conv'),
    kind,
    tellsConversation: dialect === 'beta' && kind === 'realtime',
    tellsBackchannels: listener.backchannelIn !== undefined,
    model,
    expiresAt: Math.floor(clock.nowMs() / 1_000) + limits.sessionSeconds,
    limits,
  }
  const settings = withFormats(withRecording(wanted, ports.recordings), ports)
  return newSession(about, settings, conversationOf(resumed?.items ?? []))
}

function wantedSettings(ports: SessionPorts): Settings {
  const opened = openingSettings(ports)
  const { resumed, locked } = ports
  if ('settings' in opened) {
    const laidDown = locked ? lockedPart(opened.settings) : {}
    return resumed ? { ...resumed.settings, ...laidDown } : opened.settings
  }
  ports.log.warn('the settings of a token are not understood', { code: opened.refusal.code })
  return defaultSettings(ports.voices.list()[0]?.id ?? '')
}

const internalError: Refusal = {
  type: 'server_error',
  code: 'internal_error',
  message: 'The event failed for a reason that was logged. The session goes on.',
  param: null,
}

const heldUp: Refusal = { type: 'rate_limit_error', code: 'rate_limit_exceeded', message: lineFull, param: null }

const binaryFrame = refused('invalid_event', 'Binary frames are not understood. Send events as JSON text.')

import { lacksType, parseFrame } from '../wire/client-events.ts'
import type { ClientEvent } from '../wire/client-events.ts'
import { refused } from '../wire/refusal.ts'
import type { Refusal } from '../wire/refusal.ts'
import type { ServerEvent } from '../wire/server-events.ts'
import { settingsPatch } from '../wire/settings-patch.ts'
import type { SettingsWire } from '../wire/settings-schema.ts'
import { written } from '../wire/write.ts'
import { createParts } from './parts.ts'
import { withPatch } from './settings.ts'
import { complaintAbout } from './settings-rules.ts'
import type { RunningSession, SessionSurroundings } from './surroundings.ts'

export { defaultSessionLimits } from './limits.ts'
export type { SessionLimits } from './limits.ts'
export { previewSession } from './opening.ts'
export type { Dialect, RunningSession, SessionKind, SessionSurroundings, Stage } from './surroundings.ts'

/** One conversation over one socket: `session.created` is sent before this returns. */
export function openSession(of: SessionSurroundings): RunningSession {
  let isOpen = true
  let draining = false

  function emit(event: ServerEvent): void {
    if (!isOpen) return
    const text = written(event, of.newId('event'), of.dialect)
    if (text !== undefined) of.send(text)
  }

  function stop(): void {
    isOpen = false
    clearTimeout(expiry)
    parts.stop()
  }

  function close(code: number, reason: string): void {
    if (!isOpen) return
    stop()
    of.close(code, reason)
  }

  function closeWhenIdle(): void {
    if (draining && parts.isIdle()) close(1012, 'Service restart')
  }

  function refuse(refusal: Refusal, causedBy: string | null): void {
    emit({ type: 'error', refusal, causedBy })
  }

  const conversationId = of.newId('conv')
  const parts = createParts({ around: of, conversationId, emit, isDraining: () => draining, idle: closeWhenIdle })
  const expiry = setTimeout(() => {
    refuse(refused('session_expired', expired(of.limits.sessionSeconds)), null)
    close(1001, expired(of.limits.sessionSeconds))
  }, of.limits.sessionSeconds * 1_000)
  expiry.unref()
  emit({ type: 'session.created', session: parts.view() })
  if (of.dialect === 'beta' && of.kind === 'realtime') emit({ type: 'conversation.created', conversationId })

  return {
    receive(frame) {
      if (!isOpen) return
      const parsed = parseFrame(frame, of.limits)
      if ('refusal' in parsed) return refuse(parsed.refusal, parsed.eventId)
      try {
        const refusal = obey(parsed.event)
        if (refusal) refuse(refusal, parsed.eventId)
      } catch (error) {
        // a bug in here must not end the sessions of everybody else in the process
        of.log.error('client event failed', { type: parsed.event.type, error })
        refuse(internalError, parsed.eventId)
      }
    },
    receiveBinary() {
      refuse(refused('invalid_event', 'Binary frames are not understood. Send events as JSON text.'), null)
    },
    drain() {
      draining = true
      closeWhenIdle()
    },
    end() {
      if (isOpen) stop()
    },
  }

  function obey(event: ClientEvent): Refusal | undefined {
    const { ears, items, responses, turns } = parts
    switch (event.type) {
      case 'session.update':
        return of.dialect === 'ga' && lacksType(event.session) ? noType : update(event.session)
      case 'transcription_session.update':
        return update({ type: 'transcription', ...event.session })
      case 'input_audio_buffer.append':
        return ears.append(event.audio)
      case 'input_audio_buffer.commit':
        return ears.commit()
      case 'input_audio_buffer.clear':
        ears.clear()
        return told({ type: 'input_audio_buffer.cleared', fields: {} })
      case 'conversation.item.create':
        return items.create(event)
      case 'conversation.item.retrieve':
        return items.retrieve(event)
      case 'conversation.item.truncate':
        return items.truncate(event)
      case 'conversation.item.delete':
        return items.delete(event)
      case 'response.create':
        return turns.respond(event.response ?? undefined)
      case 'response.cancel':
        return responses.cancel(event.response_id ?? undefined)
      case 'output_audio_buffer.clear':
        turns.cutPlaying()
        return told({ type: 'output_audio_buffer.cleared', fields: { response_id: responses.last ?? '' } })
    }
  }

  function told(event: ServerEvent): undefined {
    emit(event)
  }

  function update(wire: SettingsWire): Refusal | undefined {
    const patch = settingsPatch(wire)
    const refusal = complaintAbout(wire, patch, { around: of, settings: parts.settings() })
    if (refusal) return refusal
    parts.change(withPatch(parts.settings(), patch))
    return told({ type: 'session.updated', session: parts.view() })
  }
}

const noType = refused('missing_required_parameter', `Missing required parameter: 'session.type'.`, 'session.type')

const internalError: Refusal = {
  type: 'server_error',
  code: 'internal_error',
  message: 'The event failed for a reason that was logged. The session goes on.',
  param: null,
}

function expired(seconds: number): string {
  return `Your session hit the maximum duration of ${Math.round(seconds / 60)} minutes.`
}

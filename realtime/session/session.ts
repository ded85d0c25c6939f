import { parseFrame } from '../wire/client-events.ts'
import { refused } from '../wire/refusal.ts'
import type { Refusal } from '../wire/refusal.ts'
import type { ServerEvent } from '../wire/server-events.ts'
import { written } from '../wire/write.ts'
import { obey } from './obey.ts'
import { createParts } from './parts.ts'
import type { RunningSession, SessionPorts } from './surroundings.ts'

export { defaultSessionLimits } from './limits.ts'
export type { SessionLimits } from './limits.ts'
export { previewSession } from './opening.ts'
export type { Dialect, RunningSession, SessionKind, SessionPorts, SessionStage } from './surroundings.ts'

/** One conversation over one socket: `session.created` is sent before this returns. */
export function openSession(of: SessionPorts): RunningSession {
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
  emit({ type: 'session.created', session: parts.view() })
  if (of.dialect === 'beta' && of.kind === 'realtime') emit({ type: 'conversation.created', conversationId })

  return {
    receive(frame) {
      if (!isOpen) return
      const parsed = parseFrame(frame, of.limits)
      if ('refusal' in parsed) return refuse(parsed.refusal, parsed.eventId)
      try {
        const refusal = obey(parsed.event, { around: of, parts, emit })
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
}

const internalError: Refusal = {
  type: 'server_error',
  code: 'internal_error',
  message: 'The event failed for a reason that was logged. The session goes on.',
  param: null,
}

function expired(seconds: number): string {
  return `Your session hit the maximum duration of ${Math.round(seconds / 60)} minutes.`
}

import { parseFrame } from '../wire/client-events.ts'
import { refused } from '../wire/refusal.ts'
import type { Refusal } from '../wire/refusal.ts'
import type { ServerEvent } from '../wire/server-events.ts'
import { written } from '../wire/write.ts'
import { handleClientEvent } from './handle.ts'
import { createParts } from './parts.ts'
import type { RunningSession, SessionPorts } from './ports.ts'

export { defaultSessionLimits } from './limits.ts'
export type { SessionLimits } from './limits.ts'
export { previewSession } from './settings/opening.ts'
export type { Dialect, RunningSession, SessionKind, SessionPorts, SessionStage } from './ports.ts'

/** One conversation over one socket: `session.created` is sent before this returns. */
export function openSession(ports: SessionPorts): RunningSession {
  let isOpen = true
  let draining = false

  function emit(event: ServerEvent): void {
    if (!isOpen) return
    const text = written(event, ports.newId('event'), ports.dialect)
    if (text !== undefined) ports.send(text)
  }

  function stop(): void {
    isOpen = false
    clearTimeout(expiry)
    parts.stop()
  }

  function close(code: number, reason: string): void {
    if (!isOpen) return
    stop()
    ports.close(code, reason)
  }

  function closeWhenIdle(): void {
    if (draining && parts.isIdle()) close(1012, 'Service restart')
  }

  function refuse(refusal: Refusal, causedBy: string | null): void {
    emit({ type: 'error', refusal, causedBy })
  }

  const conversationId = ports.newId('conv')
  const parts = createParts({ ports, conversationId, emit, isDraining: () => draining, idle: closeWhenIdle })
  const expiry = setTimeout(() => {
    refuse(refused('session_expired', expired(ports.limits.sessionSeconds)), null)
    close(1001, expired(ports.limits.sessionSeconds))
  }, ports.limits.sessionSeconds * 1_000)
  emit({ type: 'session.created', session: parts.view() })
  if (ports.dialect === 'beta' && ports.kind === 'realtime') emit({ type: 'conversation.created', conversationId })

  return {
    receive(frame) {
      if (!isOpen) return
      const parsed = parseFrame(frame, ports.limits)
      if ('refusal' in parsed) return refuse(parsed.refusal, parsed.eventId)
      try {
        const refusal = handleClientEvent(parsed.event, { session: ports, parts, emit })
        if (refusal) refuse(refusal, parsed.eventId)
      } catch (error) {
        // a bug in here must not end the sessions of everybody else in the process
        ports.log.error('client event failed', { type: parsed.event.type, error })
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

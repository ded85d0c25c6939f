import type { RunningSession, SessionSurroundings } from './surroundings.ts'

export { defaultSessionLimits } from './limits.ts'
export type { SessionLimits } from './limits.ts'
export type { Dialect, RunningSession, SessionKind, SessionSurroundings, Stage } from './surroundings.ts'

/** One conversation over one socket: `session.created` is sent before this returns. */
export function openSession(of: SessionSurroundings): RunningSession {
  let open = true
  of.send(JSON.stringify({ type: 'session.created', event_id: of.newId('event'), session: { model: of.model } }))
  return {
    receive() {},
    receiveBinary() {},
    drain() {
      if (!open) return
      open = false
      of.close(1012, 'service restart')
    },
    end() {
      open = false
    },
  }
}

import type { Decision } from '../../../actors/decision.ts'
import type { Refusal } from '../../wire/refusal.ts'
import type { ServerEvent } from '../../wire/server-events.ts'
import type { SessionEffect } from '../protocol.ts'
import type { SessionState } from '../state.ts'

/** What decisions are made of: each step sees what the one before left, and its effects come after. */
export type SessionStep = (state: SessionState) => SessionDecision

export type SessionDecision = Decision<SessionState, SessionEffect>

export function inOrder(state: SessionState, steps: readonly SessionStep[]): SessionDecision {
  const effects: SessionEffect[] = []
  let current = state
  for (const step of steps) {
    const decided = step(current)
    current = decided.state
    effects.push(...decided.effects)
  }
  return { state: current, effects }
}

export function unchanged(state: SessionState): SessionDecision {
  return { state, effects: [] }
}

export function change(changed: Partial<SessionState>): SessionStep {
  return (state) => ({ state: { ...state, ...changed }, effects: [] })
}

export function doNow(...effects: readonly SessionEffect[]): SessionStep {
  return (state) => ({ state, effects })
}

export function send(...events: readonly ServerEvent[]): SessionStep {
  return doNow(...events.map((event) => ({ type: 'Send', event }) as const))
}

export function refuseWith(refusal: Refusal, causedBy: string | null): SessionStep {
  return send({ type: 'error', refusal, causedBy })
}

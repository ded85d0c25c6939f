import type { Clock } from '../../actors/ports.ts'

/** A clock that moves only when the test says so. */
export interface ManualClock extends Clock {
  advance(ms: number): void
}

export function aManualClock(startMs = Date.UTC(2026, 0, 1)): ManualClock {
  let passedMs = 0
  return {
    nowMs: () => startMs + passedMs,
    elapsedMs: () => passedMs,
    advance: (ms) => {
      passedMs += ms
    },
  }
}

import type { Clock } from '../../actors/ports.ts'

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  elapsedMs: () => performance.now(),
}

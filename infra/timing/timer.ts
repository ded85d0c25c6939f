import type { Timer } from '../../actors/ports.ts'

export const systemTimer: Timer = {
  after(ms, run) {
    if (ms === Infinity) return () => undefined
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
}

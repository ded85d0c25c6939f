import type { Clock } from '../../actors/ports.ts'

interface LagWatch {
  /** Whether this process is, or just was, too busy to look after what it has in hand. */
  isLagging(): boolean
  close(): void
}

const tickMs = 200
const lagMaxMs = 1_000

/** Over with the first tick that comes in time. */
export function watchLag(clock: Clock): LagWatch {
  let lastMs = clock.elapsedMs()
  let wasLate = false
  const isLate = (): boolean => clock.elapsedMs() - lastMs > tickMs + lagMaxMs
  const timer = setInterval(() => {
    wasLate = isLate()
    lastMs = clock.elapsedMs()
  }, tickMs)
  timer.unref()
  return { isLagging: () => wasLate || isLate(), close: () => clearInterval(timer) }
}

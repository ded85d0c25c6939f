/** What runs and what is due later, for somebody who will want to stop. */
export interface UnderWay {
  readonly isDraining: boolean
  /** The step does not reject. */
  track(step: Promise<void>): void
  /** Nothing begins any more once it is drained. */
  later(delayMs: number, begin: () => void): void
  /** Forgets what is due later and resolves when nothing runs any more. */
  drain(): Promise<void>
}

export function createUnderWay(): UnderWay {
  const timers = new Set<NodeJS.Timeout>()
  const running = new Set<Promise<void>>()
  let isDraining = false
  return {
    get isDraining() {
      return isDraining
    },
    track(step) {
      running.add(step)
      void step.finally(() => running.delete(step))
    },
    later(delayMs, begin) {
      if (isDraining) return
      const timer = setTimeout(() => {
        timers.delete(timer)
        begin()
      }, delayMs)
      timers.add(timer)
    },
    async drain() {
      isDraining = true
      for (const timer of timers) clearTimeout(timer)
      timers.clear()
      while (running.size > 0) await Promise.allSettled(running)
    },
  }
}

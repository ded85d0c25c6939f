/** Timers that end together. */
interface Timers {
  after(ms: number, what: () => void): void
  clear(): void
}

export function createTimers(): Timers {
  const waiting = new Set<NodeJS.Timeout>()
  return {
    after(ms, what) {
      const timer = setTimeout(() => {
        waiting.delete(timer)
        what()
      }, ms)
      waiting.add(timer)
    },
    clear() {
      for (const timer of waiting) clearTimeout(timer)
      waiting.clear()
    },
  }
}

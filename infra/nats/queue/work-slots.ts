/** What of a worker's work takes a slot: all that it has begun, but for what waits for somebody else. */
export interface WorkSlots {
  /** Also by those who come back from a wait: they go before new work. */
  taken(): number
  enter(): void
  leave(): void
  /** See `Slotted`. Who is told to stop gets no slot any more, and needs none to say so. */
  readonly aside: <Value>(wait: () => Promise<Value>, signal: AbortSignal) => Promise<Value>
}

export function openWorkSlots(slots: number, freed: () => void): WorkSlots {
  const returning = new Set<() => void>()
  let working = 0

  function leave(): void {
    working -= 1
    const [next] = returning
    if (next && working < slots) next()
    freed()
  }
  /** Resolves when there is a slot, or none is needed. */
  function enterAgain(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const enter = (): void => {
        signal.removeEventListener('abort', enter)
        returning.delete(enter)
        working += 1
        resolve()
      }
      if (working < slots || signal.aborted) return enter()
      returning.add(enter)
      signal.addEventListener('abort', enter)
    })
  }
  return {
    taken: () => working + returning.size,
    enter: () => void (working += 1),
    leave,
    async aside(wait, signal) {
      leave()
      try {
        return await wait()
      } finally {
        await enterAgain(signal)
      }
    },
  }
}

/** A number of places, given out in the order in which they were asked for. */
export class Slots {
  readonly #waiting = new Set<() => void>()
  #free: number

  constructor(count: number) {
    this.#free = count
  }

  /** Resolves when a place is the caller's, who gives it back; rejects when the signal comes first. */
  async take(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted()
    if (this.#free > 0) {
      this.#free -= 1
      return
    }
    await new Promise<void>((resolve, reject) => {
      const turn = (): void => {
        signal?.removeEventListener('abort', leave)
        resolve()
      }
      const leave = (): void => {
        this.#waiting.delete(turn)
        reject(signal?.reason)
      }
      signal?.addEventListener('abort', leave, { once: true })
      this.#waiting.add(turn)
    })
  }

  give(): void {
    const [next] = this.#waiting
    if (!next) {
      this.#free += 1
      return
    }
    this.#waiting.delete(next)
    next()
  }
}

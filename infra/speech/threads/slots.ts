type Turn = () => void

/** A number of places. Who waits for many of them has the next when everybody else who waits had one; of one asker the first comes first. */
export class Slots {
  /** Of each asker, who is next first. */
  readonly #rows = new Map<string, Set<Turn>>()
  #free: number

  constructor(count: number) {
    this.#free = count
  }

  /** Resolves when a place is the caller's, who gives it back; rejects when the signal comes first. */
  async take(signal?: AbortSignal, asker = ''): Promise<void> {
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
        const row = this.#rows.get(asker)
        row?.delete(turn)
        if (row?.size === 0) this.#rows.delete(asker)
        reject(signal?.reason)
      }
      signal?.addEventListener('abort', leave, { once: true })
      this.#rows.set(asker, (this.#rows.get(asker) ?? new Set()).add(turn))
    })
  }

  give(): void {
    const next = this.#next()
    if (next) next()
    else this.#free += 1
  }

  #next(): Turn | undefined {
    for (const [asker, row] of this.#rows) {
      const [turn] = row
      // behind the others, with what is left
      this.#rows.delete(asker)
      if (turn) row.delete(turn)
      if (row.size > 0) this.#rows.set(asker, row)
      return turn
    }
    return undefined
  }
}

import type { Owner } from '../actors/ids.ts'

/** In which order requests begin. Who sends a hundred at once would otherwise have the thread a hundred times before anybody else. */
export interface Turns {
  /** Resolves when a request of this user may begin. */
  next(owner: Owner): Promise<void>
}

/** In each round one request of each user who waits begins; the event loop looks at everything else between two rounds. */
export function openRequestTurns(afterRound: (begin: () => void) => unknown = setImmediate): Turns {
  const rows = new Map<Owner, (() => void)[]>()
  const begin = (): void => {
    for (const [owner, row] of rows) {
      row.shift()?.()
      if (row.length === 0) rows.delete(owner)
    }
    if (rows.size > 0) afterRound(begin)
  }
  return {
    next(owner) {
      if (rows.size === 0) afterRound(begin)
      const row = rows.get(owner) ?? []
      rows.set(owner, row)
      return new Promise((resolve) => void row.push(resolve))
    },
  }
}

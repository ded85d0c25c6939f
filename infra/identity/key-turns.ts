import type { Owner } from '../../actors/ids.ts'

type InTurn = <Result>(owner: Owner, run: () => Promise<Result>) => Promise<Result>

/** One after another for each user: many at once would only get in each other's way at the broker. */
export function openTurns(): InTurn {
  const last = new Map<Owner, Promise<unknown>>()
  return async (owner, run) => {
    const turn = (last.get(owner) ?? Promise.resolve()).then(run, run)
    last.set(owner, turn)
    try {
      return await turn
    } finally {
      if (last.get(owner) === turn) last.delete(owner)
    }
  }
}

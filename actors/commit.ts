import type { Decision } from './decision.ts'
import type { Records, Revision } from './ports.ts'

/** What is stored now, and what it owes. */
export interface Committed<State, Effect> extends Decision<State, Effect> {
  readonly revision: Revision
}

/** A burst of writers to one record is rare: within a process they take turns. */
const conflictsMax = 64

/** Reads, decides and writes until nobody came between; the loser of a compare-and-set decides again. Nothing when there is no record. */
export async function commit<State, Effect>(
  records: Records<State>,
  key: string,
  decide: (state: State) => Decision<State, Effect>,
): Promise<Committed<State, Effect> | undefined> {
  for (let conflicts = 0; conflicts < conflictsMax; conflicts += 1) {
    const stored = await records.read(key)
    if (!stored) return undefined
    const decision = decide(stored.value)
    if (decision.state === stored.value) return { ...decision, revision: stored.revision }
    const revision = await records.replace(key, decision.state, stored.revision)
    if (revision !== 'conflict') return { ...decision, revision }
  }
  throw new Error('a record was changed by others again and again')
}

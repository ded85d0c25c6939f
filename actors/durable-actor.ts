import type { Decision } from './decision.ts'
import { retryable } from './failure.ts'
import type { LastSeen, Seen } from './last-seen.ts'
import type { Records, Revision } from './ports.ts'

/**
 * An actor that outlives every process. Its mailbox is a key, its state is the record under that key, and whoever is told
 * something by a queue or a client acknowledges it when `tell` has resolved. This is the whole argument for why a crash does no
 * harm, and it stands here once: commit, do what the committed state owes, acknowledge. Two processes may be the same actor at the same
 * time: of two commits one wins, and the other decides again on what that one stored.
 */
export interface DurableActor<Ref, State, Command> {
  readonly keyOf: (ref: Ref) => string
  /** Resolves with what is stored then when it may be acknowledged; when it rejects, the same is to be told again. */
  tell(ref: Ref, commands: readonly Command[]): Promise<State | undefined>
  /** What is stored, or was when this process last saw it: for who finds out by its next write whether that is old. */
  look(ref: Ref): Promise<State | undefined>
  /** What another process stored or saw: as if this one had. */
  keep(ref: Ref, seen: Seen<State>): void
}

/** One kind of durable actor. That there is no record is a state as well. */
export interface ActorBehaviour<Ref, State, Command, Effect> {
  readonly records: Records<State>
  /** Spares a reading where one process tells a record again and again. */
  readonly lastSeen?: LastSeen<State>
  readonly keyOf: (ref: Ref) => string
  /** Pure and total. The same state is given back when nothing is to be written. */
  decide(state: State | undefined, commands: readonly Command[]): Decision<State | undefined, Effect>
  /** May be done twice, and by two at once. */
  perform(effect: Effect, at: Committed<Ref, State>): Promise<void>
  /** What it tells itself when something that it owes could not be done; nothing when its teller is to come again. */
  despair?(error: unknown, input: Told<Command, Effect>): readonly Command[] | undefined
  /** Where a test may end the process. */
  passed?(place: 'commit' | 'effects', commands: readonly Command[]): Promise<void>
}

export interface Committed<Ref, State> {
  readonly ref: Ref
  readonly state: State | undefined
  /** 0 when there is no record. */
  readonly revision: Revision
}

export interface Told<Command, Effect> {
  readonly commands: readonly Command[]
  readonly effects: readonly Effect[]
}

export function durableActor<Ref, State, Command, Effect>(
  behaviour: ActorBehaviour<Ref, State, Command, Effect>,
): DurableActor<Ref, State, Command> {
  const { keyOf, lastSeen } = behaviour
  const records = { ...behaviour.records, ...(lastSeen && { lastSeen }) }

  async function tell(ref: Ref, commands: readonly Command[]): Promise<State | undefined> {
    const { state, effects, revision } = await commit(records, keyOf(ref), (stored) =>
      behaviour.decide(stored, commands),
    )
    await behaviour.passed?.('commit', commands)
    try {
      for (const effect of effects) await behaviour.perform(effect, { ref, state, revision })
    } catch (error) {
      const last = behaviour.despair?.(error, { commands, effects })
      if (!last) throw error
      return tell(ref, last)
    }
    await behaviour.passed?.('effects', commands)
    return state
  }

  async function look(ref: Ref): Promise<State | undefined> {
    const key = keyOf(ref)
    const found = lastSeen?.get(key) ?? (await records.read(key))
    if (found) lastSeen?.keep(key, found)
    return found?.value
  }

  return { keyOf, tell, look, keep: (ref, seen) => lastSeen?.keep(keyOf(ref), seen) }
}

/** One command after another, for a `decide` that takes one. */
export function decideAll<State, Command, Effect>(
  decide: (state: State | undefined, command: Command) => Decision<State | undefined, Effect>,
  stored: State | undefined,
  commands: readonly Command[],
): Decision<State | undefined, Effect> {
  let state = stored
  const effects: Effect[] = []
  for (const command of commands) {
    const next = decide(state, command)
    state = next.state
    effects.push(...next.effects)
  }
  return { state, effects }
}

/** A burst of writers to one record is rare: within a process they take turns. */
const conflictsMax = 64

type CommitRecords<State> = Pick<Records<State>, 'read' | 'create' | 'replace' | 'backOff'> & {
  readonly lastSeen?: LastSeen<State>
}

/**
 * Reads, decides and writes until nobody came between. What was last seen may be old: a write on it is refused then, and where nothing
 * would be written it is not believed.
 */
export async function commit<State, Effect>(
  records: CommitRecords<State>,
  key: string,
  decide: (state: State | undefined) => Decision<State | undefined, Effect>,
): Promise<Decision<State | undefined, Effect> & { readonly revision: Revision }> {
  const { lastSeen } = records
  for (let conflicts = 0; conflicts < conflictsMax;) {
    const seen = lastSeen?.get(key)
    lastSeen?.forget(key)
    const stored = seen ?? (await records.read(key))
    const decision = decide(stored?.value)
    const { state } = decision
    if (state === undefined || state === stored?.value) {
      if (seen) continue
      if (stored) lastSeen?.keep(key, stored)
      return { ...decision, revision: stored?.revision ?? 0 }
    }
    const written = stored ? await records.replace(key, state, stored.revision) : await records.create(key, state)
    if (written !== 'conflict' && written !== 'exists') {
      lastSeen?.keep(key, { value: state, revision: written })
      return { ...decision, revision: written }
    }
    if (seen) continue
    conflicts += 1
    await records.backOff(conflicts)
  }
  throw retryable('overloaded', 'Too many write to the same record at the same time; try again shortly.')
}

import { terminal } from '../../actors/failure.ts'
import type { Records, Revision } from '../../actors/ports.ts'
import { epochMs } from './world.ts'
import type { Process, World } from './world.ts'

/** A bucket of the broker, as every process sees it. */
export interface SimStore<Value> {
  /** What is there now: for checks. */
  get(key: string): Value | undefined
  keys(): string[]
  /** How many keys there are. */
  count(): number
  /** Was there before anybody looked. */
  seed(key: string, value: Value): void
  portFor(process: Process): Records<Value>
}

export type StoreChange<Value> = readonly [key: string, before: Value | undefined, after: Value | undefined]

interface SimStoreOptions<Value> {
  readonly name: string
  /** Told of each change, before anybody else sees it. */
  readonly watch?: (...change: StoreChange<Value>) => void
  /** What is larger than any record may be. */
  readonly isTooLarge?: (value: Value) => boolean
  readonly breaks: { readonly staleDecisions: boolean; readonly blindWrites: boolean }
}

interface Version<Value> {
  /** Nothing when it was removed: the key stays taken. */
  readonly value: Value | undefined
  readonly revision: Revision
  readonly storedAtMs: number
}

const replicaLagMs = 2000
const backOffMaxMs = 200

export function createStore<Value>(world: World, options: SimStoreOptions<Value>): SimStore<Value> {
  const { name, watch, isTooLarge, breaks } = options
  const entries = new Map<string, Version<Value>>()
  /** What replicas that are behind still show, oldest first. */
  const older = new Map<string, Version<Value>[]>()
  let revision: Revision = 0
  let live = 0

  function put(key: string, value: Value | undefined): Revision {
    if (value !== undefined && isTooLarge?.(value)) throw refused(world)
    const before = entries.get(key)
    if (before) keepOlder(key, before)
    live += Number(value !== undefined) - Number(before?.value !== undefined)
    revision += 1
    entries.set(key, { value, revision, storedAtMs: epochMs + world.nowMs() })
    watch?.(key, before?.value, value)
    return revision
  }

  function keepOlder(key: string, version: Version<Value>): void {
    const versions = older.get(key)
    if (versions) versions.push(version)
    else older.set(key, [version])
  }

  /** The entry, or what was there a moment ago. */
  function seen(key: string, mayBeOld: boolean): Version<Value> | undefined {
    const entry = entries.get(key)
    if (!entry || !mayBeOld || !world.random.chance(world.weather.stale)) return entry
    const asOfMs = epochMs + world.nowMs() - world.random.below(replicaLagMs)
    if (entry.storedAtMs <= asOfMs) return entry
    world.count('stale read')
    return older.get(key)?.findLast(({ storedAtMs }) => storedAtMs <= asOfMs)
  }

  function create(key: string, value: Value): Revision | 'exists' {
    return entries.has(key) ? 'exists' : put(key, value)
  }

  function replace(key: string, value: Value, known: Revision): Revision | 'conflict' {
    const entry = entries.get(key)
    if (breaks.blindWrites && entry?.value !== undefined) return put(key, value)
    return entry?.value !== undefined && entry.revision === known ? put(key, value) : 'conflict'
  }

  function many(keys: Iterable<string>, mayBeOld: boolean): Map<string, Value> {
    const found = new Map<string, Value>()
    for (const key of keys) {
      const value = seen(key, mayBeOld)?.value
      if (value !== undefined) found.set(key, value)
    }
    return found
  }

  function portFor(process: Process): Records<Value> {
    const ask = <Result>(what: string, key: string, apply: () => Result): Promise<Result> =>
      world.call(process, { service: 'broker', what: `${name}.${what}`, key }, apply)
    return {
      create: (key, value) => ask('create', key, () => create(key, value)),
      read: (key) =>
        ask('read', key, () => {
          const entry = seen(key, breaks.staleDecisions)
          if (entry?.value === undefined) return undefined
          return { value: entry.value, revision: entry.revision, storedAtMs: entry.storedAtMs }
        }),
      readMany: (keys) => ask('readMany', '', () => many(keys, true)),
      replace: (key, value, known) => ask('replace', key, () => replace(key, value, known)),
      remove: (key, known) =>
        ask('remove', key, () => {
          if (known === undefined || entries.get(key)?.revision === known) put(key, undefined)
        }),
      erase: (key) =>
        ask('erase', key, () => {
          if (!entries.has(key)) return
          put(key, undefined)
          entries.delete(key)
        }),
      compact: () => Promise.resolve(),
      backOff: (conflicts) => world.sleep(process, world.random.below(Math.min(backOffMaxMs, 2 ** conflicts))),
      ageMs: ({ storedAtMs }) => ask('time', '', () => epochMs + world.nowMs() - storedAtMs),
      keys: () => ask('keys', '', liveKeys),
      inOrder: (after, most) =>
        ask('inOrder', String(after), () =>
          [...entries]
            .map(([key, entry]) => ({ key, ...entry }))
            .filter((one) => one.revision > after)
            .sort((one, other) => one.revision - other.revision)
            .slice(0, most),
        ),
      readUnder: (prefix) =>
        ask('readUnder', prefix, () => {
          const keys = [...entries.keys()].filter((key) => isUnder(key, prefix))
          return many(keys, breaks.staleDecisions)
        }),
      readManyUnder: (prefixes) =>
        ask('readManyUnder', prefixes.join(), () =>
          many(
            [...entries.keys()].filter((key) => prefixes.some((prefix) => isUnder(key, prefix))),
            breaks.staleDecisions,
          ),
        ),
    }
  }

  const liveKeys = (): string[] => [...entries.keys()].filter((key) => entries.get(key)?.value !== undefined)

  return {
    get: (key) => entries.get(key)?.value,
    keys: liveKeys,
    count: () => live,
    seed: (key, value) => {
      put(key, value)
    },
    portFor,
  }
}

function refused(world: World): Error {
  world.count('record too large')
  return terminal('too_large', 'This would make a record that is larger than any may be.')
}

function isUnder(key: string, prefix: string): boolean {
  return key.startsWith(`${prefix}.`) && !key.slice(prefix.length + 1).includes('.')
}

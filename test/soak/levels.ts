import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import type { NatsConnection } from 'nats'

import { liveKeys } from '../../infra/nats/records/live-keys.ts'
import type { BucketName } from '../../infra/nats/topology/topology.ts'
import type { WatchedRole } from './watch.ts'
import type { WatchedName } from './watched-name.ts'

/** Everything that may grow, each under its name. */
export type Levels = ReadonlyMap<string, number>

export interface Watched {
  readonly roles: ReadonlyMap<WatchedName, WatchedRole>
  readonly broker: NatsConnection
}

export async function levelsOf({ roles, broker }: Watched): Promise<Levels> {
  const ofRoles = await Promise.all(Array.from(roles, ([name, role]) => roleLevels(name, role)))
  return new Map([...ofRoles.flat(), ...(await brokerLevels(broker))])
}

export function leastOf(now: Levels, before: Levels | undefined): Levels {
  return new Map(Array.from(now, ([name, level]) => [name, Math.min(level, before?.get(name) ?? level)]))
}

async function roleLevels(name: WatchedName, role: WatchedRole): Promise<[string, number][]> {
  const { heapMb, outsideHeapMb, residentMb, openFiles, handles } = await role.holdings()
  const count = (pattern: RegExp): number =>
    Object.entries(handles).reduce((sum, [kind, times]) => (pattern.test(kind) ? sum + times : sum), 0)
  return [
    [`${name}: heap MB`, heapMb],
    [`${name}: outside the heap MB`, outsideHeapMb],
    [`${name}: resident MB`, residentMb],
    [`${name}: open files`, openFiles],
    [`${name}: timers`, count(/^(?:Timeout|Immediate)$/)],
    [`${name}: sockets and pipes`, count(/TCP|Pipe/)],
    [`${name}: other handles`, count(/^(?!Timeout|Immediate|.*(?:TCP|Pipe))/)],
  ]
}

async function brokerLevels(broker: NatsConnection): Promise<[string, number][]> {
  const manager = await jetstreamManager(broker)
  const client = { connection: broker, js: jetstream(broker), jsm: manager }
  const ask = <Result>(run: () => Promise<Result>): Promise<Result> => run()
  const levels: [string, number][] = []
  let [streams, consumers, markers] = [0, 0, 0]
  for await (const { config, state } of manager.streams.list()) {
    streams += 1
    consumers += state.consumer_count
    const [, bucket] = /^KV_(.*)$/.exec(config.name) ?? []
    // not by the client's own listing, which leaves consumers behind that would be counted here
    const keys = bucket === undefined ? state.messages : (await liveKeys(client, bucket as BucketName, ask)).length // as: the only buckets there are
    markers += state.messages - keys
    levels.push([`broker: ${bucket === undefined ? 'messages' : 'keys'} in ${config.name}`, keys])
  }
  return [['broker: streams', streams], ['broker: consumers', consumers], ...levels, [markersName, markers]]
}

const markersName = 'broker: marks of deletions'
/**
 * What grows by intention: who did what is kept for `AUDIT_DAYS`; the mark of a deletion stays for a day, so that a late repetition does not bring back what was
 * deleted; its promise stays for an hour, to clear away once more; and a batch can be asked for when its files are gone.
 */
const growing = new Set([
  markersName,
  'broker: keys in KV_vaak_purges',
  'broker: messages in vaak_audit',
  'broker: keys in KV_vaak_batches',
  'broker: keys in KV_vaak_members',
])

const shareAllowed = 0.1

/** How much more than at the start there may be: a tenth of memory and something for its grain, and of things next to none. */
export function allowed(name: string, atStart: number): number {
  if (growing.has(name)) return Infinity
  if (name.endsWith('resident MB')) return atStart * (1 + 2 * shareAllowed) + 20
  if (name.endsWith('MB')) return atStart * (1 + shareAllowed) + 3
  if (name.endsWith('timers') || name.endsWith('open files') || name.endsWith('pipes')) return atStart + 2
  return atStart
}

export function grown(start: Levels, end: Levels): string[] {
  return [...end].filter(([name, level]) => level > allowed(name, start.get(name) ?? 0)).map(([name]) => name)
}

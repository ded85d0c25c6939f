import { jetstreamManager } from '@nats-io/jetstream'
import type { NatsConnection } from 'nats'

import type { WatchedRole } from './watch.ts'

/** Everything that may grow, each under its name. */
export type Levels = ReadonlyMap<string, number>

export interface Watched {
  readonly gateway: WatchedRole
  readonly worker: WatchedRole
  readonly broker: NatsConnection
}

export async function levelsOf({ gateway, worker, broker }: Watched): Promise<Levels> {
  return new Map([...(await roleLevels('gateway', gateway)), ...(await roleLevels('worker', worker)), ...(await brokerLevels(broker))]) // prettier-ignore
}

async function roleLevels(name: string, role: WatchedRole): Promise<[string, number][]> {
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
  const levels: [string, number][] = []
  let [streams, consumers] = [0, 0]
  for await (const { config, state } of manager.streams.list()) {
    streams += 1
    consumers += state.consumer_count
    levels.push([`broker: messages in ${config.name}`, state.messages])
  }
  return [['broker: streams', streams], ['broker: consumers', consumers], ...levels]
}

const shareAllowed = 0.1

/** How much more than at the start there may be: a tenth of memory and something for its grain, and of things next to none. */
export function allowed(name: string, atStart: number): number {
  if (name.endsWith('resident MB')) return atStart * (1 + 2 * shareAllowed) + 20
  if (name.endsWith('MB')) return atStart * (1 + shareAllowed) + 3
  if (name.endsWith('timers') || name.endsWith('open files') || name.endsWith('pipes')) return atStart + 2
  return atStart
}

export function grown(start: Levels, end: Levels): string[] {
  return [...end].filter(([name, level]) => level > allowed(name, start.get(name) ?? 0)).map(([name]) => name)
}

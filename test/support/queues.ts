import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import type { ExecutionContext } from 'ava'

import type { ChunkWork } from '../../actors/chunk/protocol.ts'
import { isOwner } from '../../actors/ids.ts'
import type { RunRef, Owner } from '../../actors/ids.ts'
import type { Delivered } from '../../actors/ports.ts'
import { watchAway } from '../../infra/nats/connection/away.ts'
import { connectNats } from '../../infra/nats/connection/connect.ts'
import type { WorkerClient } from '../../infra/nats/queue/run-work.ts'
import { ensureTopology } from '../../infra/nats/topology/ensure.ts'
import { laneOf } from '../../infra/nats/topology/queue-names.ts'
import { topology } from '../../infra/nats/topology/topology.ts'
import { aBatchId, aFileId } from './builders.ts'
import type { TestNats } from './nats.ts'
import { silentLog } from './silent-log.ts'

/** Users whose work waits in different lanes, the same in every run. */
export function ownersInDifferentLanes(count: number): Owner[] {
  const owners = new Map<number, Owner>()
  for (let number = 0; owners.size < count; number += 1) {
    const owner = String(number).padStart(22, 'u')
    if (isOwner(owner) && !owners.has(laneOf(owner))) owners.set(laneOf(owner), owner)
  }
  return [...owners.values()]
}

/** Users of whom a version that goes by a hash alone would say that they are the same. */
export function ownersInOneLane(count: number): Owner[] {
  const owners: Owner[] = []
  for (let number = 0; owners.length < count; number += 1) {
    const owner = String(number).padStart(22, 'u')
    if (isOwner(owner) && laneOf(owner) === 0) owners.push(owner)
  }
  return owners
}

export function aFileRef(ref: Partial<RunRef> = {}): RunRef {
  return { owner: ownersInDifferentLanes(1)[0]!, batchId: aBatchId(), fileId: aFileId(), index: 0, ...ref }
}

export function chunkWorkOf(ref: RunRef, count: number): ChunkWork[] {
  return Array.from({ length: count }, (_, chunk) => ({ ...ref, chunk, attempt: 1 }))
}

/** One id for each work and attempt, as the actors make them. */
export function idOf({ batchId, fileId, chunk, attempt }: ChunkWork): string {
  return `chunk:${fileId}.${batchId}:${chunk}:${attempt}`
}

interface QueueClientOptions {
  readonly ackWaitMs?: number
  /** Where the connection goes; the server itself unless told. */
  readonly port?: number
}

/** A connection of its own, on a broker that has all streams and consumers. Closed with the test. */
export async function aWorkerClient(
  t: ExecutionContext,
  { port, user, pass }: TestNats,
  options: QueueClientOptions = {},
): Promise<WorkerClient> {
  const url = `nats://127.0.0.1:${options.port ?? port}`
  const connection = await connectNats({ url, user, pass, name: 'worker', log: silentLog, waitOnFirstConnect: true })
  t.teardown(() => connection.close())
  const jsm = await jetstreamManager(connection)
  await ensureTopology(jsm, topology({ replicas: 1, idempotencyHours: 1, ackWaitMs: options.ackWaitMs ?? 30_000 }))
  return { connection, js: jetstream(connection), jsm, isAway: watchAway(connection) }
}

/** Where nothing is ever set aside. */
export const unwanted = (): Promise<never> => Promise.reject(new Error('work was set aside'))

/** Somebody who takes work and keeps it until the test says how it ends. */
export interface Worker {
  readonly taken: TakenWork[]
  readonly handle: (delivered: Delivered<ChunkWork>) => Promise<void>
  /** Those that have not ended. */
  handling(): TakenWork[]
  /** From now on, and of what is in hand. */
  finishAll(): void
}

interface TakenWork extends Delivered<ChunkWork> {
  finish(): void
  fail(): void
}

export function aWorker(): Worker {
  const taken: TakenWork[] = []
  const open = new Set<TakenWork>()
  let isFinishing = false
  return {
    taken,
    handling: () => [...open],
    handle: (delivered) =>
      new Promise<void>((resolve, reject) => {
        const one: TakenWork = {
          ...delivered,
          finish() {
            open.delete(one)
            resolve()
          },
          fail() {
            open.delete(one)
            reject(new Error('as the test wants it'))
          },
        }
        taken.push(one)
        open.add(one)
        delivered.signal.addEventListener('abort', () => one.fail())
        if (isFinishing) one.finish()
      }),
    finishAll() {
      isFinishing = true
      for (const one of open) one.finish()
    },
  }
}

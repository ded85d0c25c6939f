import { Kvm } from '@nats-io/kv'

import { isBrokerAway, away } from '../../actors/failure.ts'
import type { Dependency } from '../../actors/health/ports.ts'
import { ask } from '../nats/connection/ask.ts'
import type { BrokerClient } from '../nats/records/stores.ts'
import { buckets, isBucket } from '../nats/topology/topology.ts'
import type { BucketName } from '../nats/topology/topology.ts'

/** More than a block of any disk: less would find room in the last one of a disk that is full. */
const probeBytes = 8 * 1024
/** A mark of a removal is a write like any other, which nobody sees and which goes by itself. */
const probedKey = 'readiness'
const probeTtl = '60s'

/**
 * Whether the broker stores what it is given: something is written, and acknowledged by as many of its nodes as keep a copy. Streams that did
 * not take an earlier write are written to as well, until one goes through.
 */
export function brokerCheck(client: BrokerClient, processId: string): Dependency {
  const asked = <Result>(run: () => Promise<Result>): Promise<Result> => ask(client.isAway, run)
  const bucket = (name: BucketName) => new Kvm(client.js).open(name, { allow_direct: false })
  const probe = async (name: BucketName): Promise<void> => {
    const kv = await asked(() => bucket(name))
    await client.writes.watch(`KV_${name}`, () => asked(() => kv.purge(probedKey, { ttl: probeTtl })))
  }

  return async () => {
    try {
      const kv = await asked(() => bucket(buckets.health))
      await asked(() => kv.put(processId, Buffer.alloc(probeBytes)))
    } catch (error) {
      throw isBrokerAway(error) ? await explained(client, error) : error
    }
    for (const stream of client.writes.suspects()) {
      const suspect = stream.replace(/^KV_/, '')
      if (!isBucket(suspect)) throw storesNothing()
      await probe(suspect).catch((error: unknown) => {
        throw isBrokerAway(error) ? storesNothing(error) : error
      })
    }
  }
}

/** Who leads answers questions though nothing can be stored; without a leader nobody does. */
async function explained({ jsm, isAway }: BrokerClient, error: unknown): Promise<Error> {
  try {
    const { cluster } = await ask(isAway, () => jsm.streams.info(`KV_${buckets.health}`))
    if (cluster?.name !== undefined && !cluster.leader) return leaderless(error)
    return storesNothing(error)
  } catch {
    return isAway() ? unreachable(error) : leaderless(error)
  }
}

function unreachable(cause: unknown): Error {
  return away('broker_unavailable', 'The message broker cannot be reached.', cause)
}

function leaderless(cause: unknown): Error {
  return away(
    'broker_unavailable',
    'The message broker does not answer: it is starting, or too few of its nodes are there to elect a leader.',
    cause,
  )
}

function storesNothing(cause?: unknown): Error {
  return away(
    'broker_unavailable',
    'The message broker answers and stores nothing: its disk is full, or was, and it has not been started anew since.',
    cause,
  )
}

import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import test from 'ava'
import type { NatsConnection } from 'nats'

import type { Records } from '../../actors/ports.ts'
import { openRecords } from '../../infra/nats/records/records.ts'
import { buckets, topology } from '../../infra/nats/topology/topology.ts'
import type { Broker, BrokerNode } from '../chaos/rig/broker.ts'
import { aCluster, connectTo, electionWithinMs } from '../support/cluster.ts'
import { eventually } from '../support/eventually.ts'
import { failureOf } from '../support/tokens.ts'

const bucket = buckets.runs

/** Chaos, cluster, seed 42: files that had ended were shown as going on, by a copy that was behind. */
test('many records are not read from a copy that is behind', async (t) => {
  t.timeout(240_000)
  const broker = await aCluster(t)
  const first = await connectTo(t, broker, broker.nodes[0]!)
  const leader = await eventually('there is a bucket', () => makeBucket(first), electionWithinMs)
  const [ahead, behind] = [
    broker.nodes.find(({ name }) => name === leader)!,
    broker.nodes.find(({ name }) => name !== leader)!,
  ]
  const connection = await connectTo(t, broker, behind)
  const [writing, reading] = [await recordsOf(await connectTo(t, broker, ahead)), await recordsOf(connection)]
  await writing.create('one', 'first')
  const isBehind = () => fallsBehind({ broker, node: behind, connection, writing })
  const newest = await eventually('a copy answers and is behind', isBehind, electionWithinMs)

  t.like(await failureOf(t, reading.readMany(['one'])), { kind: 'away', code: 'broker_unavailable' })
  t.deepEqual(await writing.readMany(['one', 'two']), new Map([['one', newest]]))

  for (const link of broker.linksOf(behind)) link.heal()
  const many = await eventually('all are together again', () => reading.readMany(['one', 'two']), electionWithinMs)
  t.deepEqual(many, new Map([['one', newest]]))
})

interface Parting {
  readonly broker: Broker
  readonly node: BrokerNode
  readonly connection: NatsConnection
  readonly writing: Records<string>
}

/**
 * Parts a node from the others, who store something new: resolves with that when the node still answers, with what was there before.
 * One that has just begun, or has noticed, leaves such answers to others: then they are together again.
 */
async function fallsBehind({ broker, node, connection, writing }: Parting): Promise<string | undefined> {
  const before = await writing.read('one')
  for (const link of broker.linksOf(node)) link.hold()
  const next = `${before?.value} and more`
  const isStored = typeof (await writing.replace('one', next, before?.revision ?? 0)) === 'number'
  const said = await saidBy(connection).catch(() => undefined)
  if (isStored && said === before?.value) return next
  for (const link of broker.linksOf(node)) link.heal()
  return undefined
}

/** As the topology makes it; resolves with the name of the node that leads it. */
async function makeBucket(connection: NatsConnection): Promise<string | undefined> {
  const manager = await jetstreamManager(connection)
  const { streams } = topology({ replicas: 3, idempotencyHours: 1, ackWaitMs: 30_000 })
  const plan = streams.find(({ name }) => name === `KV_${bucket}`)!
  const { cluster } = await manager.streams.add(plan)
  return cluster?.leader
}

async function recordsOf(connection: NatsConnection): Promise<Records<string>> {
  const client = { connection, js: jetstream(connection), jsm: await jetstreamManager(connection) }
  return openRecords<string>(client, bucket)
}

/** What the node at the other end of this connection has, or one that it can reach. */
async function saidBy(connection: NatsConnection): Promise<string> {
  const answer = await connection.request(`$JS.API.DIRECT.GET.KV_${bucket}.$KV.${bucket}.one`, '', { timeout: 1_000 })
  return answer.json<{ value: string }>().value
}

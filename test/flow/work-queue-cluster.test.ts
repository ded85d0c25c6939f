import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import test from 'ava'
import type { NatsConnection } from 'nats'

import type { ChunkWork } from '../../actors/chunk/protocol.ts'
import type { WorkQueue } from '../../actors/ports.ts'
import { chunkQueue } from '../../infra/nats/queue/work-kinds.ts'
import { openWorkQueue } from '../../infra/nats/queue/work-queue.ts'
import { workStreams } from '../../infra/nats/topology/queue-names.ts'
import { topology } from '../../infra/nats/topology/topology.ts'
import { systemClock } from '../../infra/timing/clock.ts'
import { aCluster, connectTo, electionWithinMs } from '../support/cluster.ts'
import { eventually } from '../support/eventually.ts'
import { aFileRef, chunkWorkOf, idOf } from '../support/queues.ts'
import { failureOf } from '../support/tokens.ts'

const looks = 5
const now = { delayMs: 0, isRetry: false }

/** What is missed is taken for lost: chaos (cluster, seed 5) complained once of a chunk that was, while it was heard. */
test('work that waits is not missed because a node that was cut off answers for its queue', async (t) => {
  t.timeout(240_000)
  const broker = await aCluster(t)
  const first = await connectTo(t, broker, broker.nodes[0]!)
  const leader = await eventually('there is a queue', () => makeQueue(first), electionWithinMs)
  const [cutOff, other] = [
    broker.nodes.find(({ name }) => name === leader)!,
    broker.nodes.find(({ name }) => name !== leader)!,
  ]
  const [looking, enqueuing] = [
    await queueOf(await connectTo(t, broker, cutOff)),
    await queueOf(await connectTo(t, broker, other)),
  ]
  const ref = aFileRef()
  const [before, after] = chunkWorkOf(ref, 2) as [ChunkWork, ChunkWork]
  await enqueuing.enqueue(before, { id: idOf(before), ...now })
  for (const link of broker.linksOf(cutOff)) link.hold()
  const isStored = () =>
    enqueuing.enqueue(after, { id: idOf(after), ...now }).then(
      () => true,
      () => false,
    )
  await eventually('the others have a leader', isStored, electionWithinMs)

  // it answers some of them, as long as it has not noticed, and when it knows of nobody who leads
  for (let look = 0; look < looks; look += 1)
    t.like(await failureOf(t, looking.outstanding(ref)), { kind: 'away', code: 'broker_unavailable' })

  for (const link of broker.linksOf(cutOff)) link.heal()
  const all = await eventually(
    'all are together again',
    () => looking.outstanding(ref).catch(() => undefined),
    electionWithinMs,
  )
  t.deepEqual(all, [before, after])
})

/** As the topology makes them; resolves with the name of the node that leads the first. */
async function makeQueue(connection: NatsConnection): Promise<string | undefined> {
  const manager = await jetstreamManager(connection)
  const { streams } = topology({ replicas: 3, idempotencyHours: 1, ackWaitMs: 30_000 })
  const planOf = (stream: string) => streams.find(({ name }) => name === stream)!
  await manager.streams.add(planOf(workStreams.chunkRetries.name))
  const { cluster } = await manager.streams.add(planOf(workStreams.chunks.name))
  return cluster?.leader
}

async function queueOf(connection: NatsConnection): Promise<WorkQueue<ChunkWork>> {
  const client = { connection, js: jetstream(connection), jsm: await jetstreamManager(connection) }
  return openWorkQueue(client, { queue: chunkQueue, isSeparate: false, clock: systemClock })
}

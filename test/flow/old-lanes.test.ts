import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import test from 'ava'
import type { ExecutionContext } from 'ava'

import type { ChunkWork } from '../../actors/chunk/protocol.ts'
import { runWork } from '../../infra/nats/queue/run-work.ts'
import type { WorkerClient } from '../../infra/nats/queue/run-work.ts'
import { openSource } from '../../infra/nats/queue/pull.ts'
import { chunkQueue } from '../../infra/nats/queue/work-kinds.ts'
import { openWorkQueue } from '../../infra/nats/queue/work-queue.ts'
import { ensureTopology } from '../../infra/nats/topology/ensure.ts'
import { migrate, planMigration } from '../../infra/nats/topology/migrate.ts'
import { laneConsumer, laneOf, workStreams } from '../../infra/nats/topology/queue-names.ts'
import { topology } from '../../infra/nats/topology/topology.ts'
import { systemClock } from '../../infra/timing/clock.ts'
import { eventually } from '../support/eventually.ts'
import { aNatsServer } from '../support/nats.ts'
import type { TestNats } from '../support/nats.ts'
import {
  aFileRef,
  aWorker,
  aWorkerClient,
  chunkWorkOf,
  idOf,
  ownersInDifferentLanes,
  unwanted,
} from '../support/queues.ts'
import type { Worker } from '../support/queues.ts'
import { silentLog } from '../support/silent-log.ts'

/** The version before had sixteen lanes for each queue, by a hash of the user, told of nothing that it stored, and all took all reports. */

const ackWaitMs = 30_000
const settings = { replicas: 1, idempotencyHours: 1, ackWaitMs }
const stream = workStreams.chunks

async function theBrokerOfTheVersionBefore(nats: TestNats): Promise<void> {
  const manager = await jetstreamManager(await nats.connect())
  const { streams, retired } = topology(settings)
  const untold = streams.map((told) => {
    const { republish: _, ...plan } = told
    return plan
  })
  const shards = topology(settings)
    .consumers.filter(({ name }) => name.startsWith('shard-'))
    .map((shard) => {
      const { priority_groups: _, priority_policy: _policy, priority_timeout: _timeout, ...config } = shard.config
      return { ...shard, config }
    })
  await ensureTopology(manager, { streams: untold, consumers: [...retired, ...shards] })
}

async function enqueueAsBefore(client: Pick<WorkerClient, 'connection'>, work: ChunkWork): Promise<void> {
  const { owner, batchId, fileId, index, chunk, attempt } = work
  const subject = `asr.chunk.due.${laneOf(owner)}.${batchId}.${fileId}.${index}.${chunk}.${attempt}`
  await jetstream(client.connection).publish(subject, JSON.stringify({ ...work, v: 1 }), { msgID: idOf(work) })
}

async function migrated(nats: TestNats): Promise<void> {
  const manager = await jetstreamManager(await nats.connect())
  const plan = topology(settings)
  const migration = await planMigration(manager, plan)
  await migrate(manager, { plan, migration: { ...migration, retired: [] } }, () => undefined)
}

function run(t: ExecutionContext, client: WorkerClient, worker: Worker): void {
  const common = { client, queue: chunkQueue, giveUp: unwanted, ackWaitMs, clock: systemClock, log: silentLog }
  const running = runWork({ ...common, slots: 2, deadlineMs: 60_000, handle: worker.handle })
  t.teardown(() => running.drain(0))
}

function works(): ChunkWork[] {
  return ownersInDifferentLanes(4).flatMap((owner) => chunkWorkOf(aFileRef({ owner }), 2))
}

test('what the version before left is done, and so is what it enqueues while it still runs', async (t) => {
  const nats = await aNatsServer(t)
  await theBrokerOfTheVersionBefore(nats)
  const before = works()
  const old = { connection: await nats.connect() }
  for (const work of before) await enqueueAsBefore(old, work)
  await migrated(nats)
  const client = await aWorkerClient(t, nats, { ackWaitMs })
  const queue = await openWorkQueue(client, { queue: chunkQueue, isSeparate: false, clock: systemClock })
  t.deepEqual(await queue.outstanding(before[0]!), before.slice(0, 2), 'what it left is known')
  const worker = aWorker()
  worker.finishAll()
  run(t, client, worker)
  await eventually('what was left is done', () => worker.taken.length === before.length)
  const later = works()
  for (const work of later) await enqueueAsBefore(old, work)
  await eventually('what came later is done', () => worker.taken.length === before.length + later.length)
  t.true(worker.taken.every(({ deliveries }) => deliveries === 1))
})

test('work of the version before is found when it comes after the last of it was done, and its lanes are gone', async (t) => {
  const nats = await aNatsServer(t)
  const client = await aWorkerClient(t, nats, { ackWaitMs })
  const worker = aWorker()
  worker.finishAll()
  run(t, client, worker)
  const [work] = works()
  await enqueueAsBefore(client, work!)
  await eventually('it is done', () => worker.taken.length === 1)
  t.deepEqual(worker.taken[0]?.work, work)
})

test('a worker of the version before goes on beside a new one, and both have work of theirs', async (t) => {
  const nats = await aNatsServer(t)
  await theBrokerOfTheVersionBefore(nats)
  await migrated(nats)
  const client = await aWorkerClient(t, nats, { ackWaitMs })
  const [work] = works()
  const late = (): void => t.fail('nothing was given up')
  const consumer = laneConsumer(laneOf(work!.owner))
  const source = openSource(await nats.connect(), { stream: stream.name, consumer, late })
  t.teardown(() => source.close())
  await enqueueAsBefore(client, work!)
  const [taken] = await eventually('it is taken', async () => {
    const messages = await source.pull({ batch: 1 })
    return messages.length > 0 && messages
  })
  t.like(taken, { body: work })
  const queue = await openWorkQueue(client, { queue: chunkQueue, isSeparate: false, clock: systemClock })
  const worker = aWorker()
  worker.finishAll()
  run(t, client, worker)
  const [ours] = chunkWorkOf(aFileRef(), 1)
  await queue.enqueue(ours!, { id: idOf(ours!), delayMs: 0, isRetry: false })
  await eventually('ours is done', () => worker.taken.length === 1)
  t.deepEqual(worker.taken[0]?.work, ours, 'what is in its hands stays there')
})

test('a migration removes lanes that are empty, and leaves those that are not', async (t) => {
  const nats = await aNatsServer(t)
  await theBrokerOfTheVersionBefore(nats)
  const [work] = works()
  await enqueueAsBefore({ connection: await nats.connect() }, work!)
  const manager = await jetstreamManager(await nats.connect())
  const plan = topology(settings)
  const migration = await planMigration(manager, plan)
  t.is(migration.retired.length, 79)
  await migrate(manager, { plan, migration }, () => undefined)
  const lanes = await planMigration(manager, plan)
  t.deepEqual(lanes, { missing: [], changes: [], impossible: [], retired: [] })
  const { num_pending: waiting } = await manager.consumers.info(stream.name, laneConsumer(laneOf(work!.owner)))
  t.is(waiting, 1)
})

import { jetstream } from '@nats-io/jetstream'
import test from 'ava'
import type { ExecutionContext } from 'ava'
import { errors } from 'nats'

import { newestForm } from '../../actors/form.ts'
import type { WorkerClient } from '../../infra/nats/queue/run-work.ts'
import type { ReportGroup } from '../../infra/nats/reports/report-groups.ts'
import { openReports } from '../../infra/nats/reports/reports.ts'
import { runReports } from '../../infra/nats/reports/run-reports.ts'
import { fileShard, settledStream, shardSubject } from '../../infra/nats/topology/queue-names.ts'
import { eventually } from '../support/eventually.ts'
import { aLog } from '../support/log.ts'
import { aNatsServer } from '../support/nats.ts'
import { aFileRef, aWorkerClient, unwanted } from '../support/queues.ts'

const ackWaitMs = 1_000

interface Listener {
  readonly chunks: Set<number>
  readonly groups: ReportGroup[]
  readonly log: ReturnType<typeof aLog>
}

/** Notes which chunks it was told to be done. */
function listen(t: ExecutionContext, client: WorkerClient, options = { ackWaitMs }): Listener {
  const [chunks, groups, log] = [new Set<number>(), new Array<ReportGroup>(), aLog()]
  const handle = async (group: ReportGroup): Promise<void> => {
    groups.push(group)
    for (const command of group.commands) if (command.type === 'ChunkDone') chunks.add(command.chunk)
  }
  const running = runReports({ ...options, client, handle, giveUp: unwanted, log })
  t.teardown(() => running.drain(0))
  return { chunks, groups, log }
}

async function isEmpty(client: WorkerClient): Promise<boolean> {
  return (await client.jsm.streams.info(settledStream.name)).state.messages === 0
}

/** Of a broker that was killed the stream may still hold what was acknowledged, which no consumer gives out again. */
async function isDone({ jsm }: WorkerClient): Promise<boolean> {
  const shards = await jsm.consumers.list(settledStream.name).next()
  return shards.every((shard) => shard.num_pending + shard.num_ack_pending === 0)
}

test('what one vanishes with is told to another after the ack wait', async (t) => {
  const nats = await aNatsServer(t)
  const [vanishing, other] = [await aWorkerClient(t, nats, { ackWaitMs }), await aWorkerClient(t, nats, { ackWaitMs })]
  await openReports(other).toFile(aFileRef(), { type: 'ChunkDone', chunk: 4, atMs: 1 }, 'one')
  let begun = 0
  const lost = runReports({
    client: vanishing,
    ackWaitMs,
    giveUp: unwanted,
    log: aLog(),
    handle() {
      begun += 1
      return new Promise(() => undefined)
    },
  })
  t.teardown(() => lost.drain(0))
  await eventually('it is begun', () => begun === 1)
  await vanishing.connection.close()
  const { groups } = listen(t, other)
  await eventually('nothing is left', () => isEmpty(other))
  t.deepEqual(
    groups.map(({ commands }) => commands),
    [[{ type: 'ChunkDone', chunk: 4, atMs: 1 }]],
  )
})

test('a handler that takes longer than the ack wait is not told twice', async (t) => {
  // a busy machine that says nothing for a second is still there
  const patient = { ackWaitMs: 4_000 }
  const nats = await aNatsServer(t)
  const client = await aWorkerClient(t, nats, patient)
  const reports = openReports(client)
  const [slow, clock] = [aFileRef(), aFileRef()]
  let isPassed = false
  const told: string[] = []
  const running = runReports({
    client,
    ...patient,
    giveUp: unwanted,
    log: aLog(),
    async handle(group) {
      if (group.to === 'file') told.push(group.ref.fileId)
      if (group.to === 'file' && group.ref.fileId === slow.fileId)
        await eventually('the ack wait has passed', () => isPassed)
    },
  })
  t.teardown(() => running.drain(0))
  const beganMs = performance.now()
  await reports.toFile(slow, { type: 'Wake' }, 'slow')
  await eventually('the ack wait has passed', async () => {
    await reports.toFile(clock, { type: 'Wake' }, `clock:${performance.now()}`)
    return performance.now() - beganMs > 1.5 * patient.ackWaitMs
  })
  isPassed = true
  await eventually('nothing is left', () => isEmpty(client))
  t.is(told.filter((fileId) => fileId === slow.fileId).length, 1)
})

test('reports survive that the broker is killed and started again', async (t) => {
  const nats = await aNatsServer(t)
  const client = await aWorkerClient(t, nats, { ackWaitMs })
  const reports = openReports(client)
  const refs = Array.from({ length: 10 }, () => aFileRef())
  for (const [chunk, ref] of refs.entries())
    await reports.toFile(ref, { type: 'ChunkDone', chunk, atMs: 1 }, `${chunk}`)
  await nats.restart()
  const { chunks } = listen(t, client)
  await eventually('all are told', () => chunks.size === 10)
  await nats.restart()
  await eventually('the broker is back', () =>
    reports.toFile(refs[0]!, { type: 'ChunkDone', chunk: 10, atMs: 1 }, '10').then(() => true),
  )
  await eventually('nothing is left to do', () => isDone(client))
  t.deepEqual(
    [...chunks].sort((one, other) => one - other),
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
  )
})

test('a broker that freezes is waited for', async (t) => {
  const nats = await aNatsServer(t)
  const client = await aWorkerClient(t, nats, { ackWaitMs })
  const reports = openReports(client)
  const ref = aFileRef()
  const { chunks } = listen(t, client)
  await nats.pause()
  const telling = reports.toFile(ref, { type: 'ChunkDone', chunk: 0, atMs: 1 }, '0')
  await t.throwsAsync(client.connection.request('nobody', '', { timeout: 3_000 }), { instanceOf: errors.TimeoutError })
  nats.resume()
  await telling
  await eventually('it is told', () => chunks.has(0))
  await eventually('nothing is left', () => isEmpty(client))
})

test('a message that is no report is taken out, and those behind it are told', async (t) => {
  const nats = await aNatsServer(t)
  const client = await aWorkerClient(t, nats, { ackWaitMs })
  for (let shard = 0; shard < 8; shard += 1)
    await jetstream(client.connection).publish(`${settledStream.subject}.${shard}`, '{"to":"nobody"}')
  await openReports(client).toFile(aFileRef(), { type: 'ChunkDone', chunk: 1, atMs: 1 }, 'one')
  const { chunks, groups, log } = listen(t, client)
  await eventually('it is told', () => chunks.has(1))
  await eventually('nothing is left', () => isEmpty(client))
  t.is(groups.length, 1)
  t.is(log.lines.filter(({ level }) => level === 'error').length, 8)
})

test('a report of a newer version is handed back again and again, and those behind it are told', async (t) => {
  const nats = await aNatsServer(t)
  const client = await aWorkerClient(t, nats, { ackWaitMs })
  const ref = aFileRef()
  const newer = { v: newestForm + 1, to: 'file', ref, command: { type: 'ChunkDone', chunk: 0, atMs: 1 } }
  await jetstream(client.connection).publish(shardSubject(fileShard(ref)), JSON.stringify(newer))
  await openReports(client).toFile(ref, { type: 'ChunkDone', chunk: 1, atMs: 1 }, 'one')
  const { chunks, log } = listen(t, client)
  await eventually('it came twice', () => log.lines.filter(({ message }) => /newer version/.test(message)).length > 1)
  t.deepEqual([...chunks], [1])
  t.is((await client.jsm.streams.info(settledStream.name)).state.messages, 1)
})

test('a shard whose consumer somebody deleted is read again', async (t) => {
  const nats = await aNatsServer(t)
  const client = await aWorkerClient(t, nats, { ackWaitMs })
  const { chunks } = listen(t, client)
  for (let shard = 0; shard < 8; shard += 1) await client.jsm.consumers.delete(settledStream.name, `shard-${shard}`)
  const refs = Array.from({ length: 40 }, () => aFileRef())
  for (const [chunk, ref] of refs.entries())
    await openReports(client).toFile(ref, { type: 'ChunkDone', chunk, atMs: 1 }, `${chunk}`)
  await eventually('nothing is left', () => isEmpty(client))
  t.is(chunks.size, refs.length)
})

test('of several who listen one is told everything of a shard, and another when that one is gone', async (t) => {
  // who is slow for a moment stays the owner
  const patient = { ackWaitMs: 30_000 }
  const nats = await aNatsServer(t)
  const clients = await Promise.all([1, 2, 3].map(() => aWorkerClient(t, nats, patient)))
  const listeners = clients.map((client) => listen(t, client, patient))
  const sender = openReports(await aWorkerClient(t, nats, patient))
  const ref = aFileRef()
  const tell = async (chunk: number): Promise<Listener> => {
    await sender.toFile(ref, { type: 'ChunkDone', chunk, atMs: 1 }, `${chunk}`)
    return eventually('it is told', () => listeners.find(({ chunks }) => chunks.has(chunk)))
  }
  const owners = new Set<Listener>()
  for (let chunk = 0; chunk < 20; chunk += 1) owners.add(await tell(chunk))
  t.is(owners.size, 1)
  const [owner] = owners
  await clients[listeners.indexOf(owner!)]?.connection.close()
  const goneMs = performance.now()
  t.not(await tell(20), owner)
  t.log(`another had it after ${Math.round(performance.now() - goneMs)} ms`)
})

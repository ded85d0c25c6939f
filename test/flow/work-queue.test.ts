import { jetstream } from '@nats-io/jetstream'
import test from 'ava'
import type { ExecutionContext } from 'ava'

import { newestForm } from '../../actors/form.ts'
import type { ChunkWork } from '../../actors/chunk/protocol.ts'
import type { WorkQueue } from '../../actors/ports.ts'
import { runWork } from '../../infra/nats/queue/run-work.ts'
import type { RunningWork, WorkerClient } from '../../infra/nats/queue/run-work.ts'
import { chunkQueue } from '../../infra/nats/queue/work-kinds.ts'
import { openWorkQueue } from '../../infra/nats/queue/work-queue.ts'
import { dueSubject, workStreams } from '../../infra/nats/topology/queue-names.ts'
import { systemClock } from '../../infra/timing/clock.ts'
import { eventually } from '../support/eventually.ts'
import { aLog } from '../support/log.ts'
import { aLossyProxy } from '../support/lossy-proxy.ts'
import { aNatsServer } from '../support/nats.ts'
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
import { failureOf } from '../support/tokens.ts'

const ackWaitMs = 1_000
/** A busy machine that says nothing for a second is still there. */
const patientMs = 4_000
const now = { delayMs: 0, isRetry: false }

function aQueue(client: WorkerClient, isSeparate = false): Promise<WorkQueue<ChunkWork>> {
  return openWorkQueue(client, { queue: chunkQueue, isSeparate, clock: systemClock })
}

interface Running {
  readonly client: WorkerClient
  readonly worker: Worker
  readonly slots?: number
  readonly ackWaitMs?: number
  readonly deadlineMs?: number
  readonly log?: ReturnType<typeof aLog>
}

function run(t: ExecutionContext, { worker, ...options }: Running): RunningWork {
  const running = runWork({
    queue: chunkQueue,
    slots: 2,
    handle: worker.handle,
    giveUp: unwanted,
    ackWaitMs,
    deadlineMs: 60_000,
    clock: systemClock,
    log: silentLog,
    ...options,
  })
  t.teardown(() => running.drain(0))
  return running
}

async function enqueueAll(queue: WorkQueue<ChunkWork>, works: readonly ChunkWork[]): Promise<void> {
  for (const work of works) await queue.enqueue(work, { id: idOf(work), ...now })
}

test('what a worker vanishes with is given to another after the ack wait', async (t) => {
  const nats = await aNatsServer(t)
  const [vanishing, other] = [await aWorkerClient(t, nats, { ackWaitMs }), await aWorkerClient(t, nats, { ackWaitMs })]
  const queue = await aQueue(other)
  const [work] = chunkWorkOf(aFileRef(), 1)
  await enqueueAll(queue, [work!])
  const lost = aWorker()
  run(t, { client: vanishing, worker: lost })
  await eventually('it is in hand', () => lost.taken.length === 1)
  await vanishing.connection.close()
  const worker = aWorker()
  run(t, { client: other, worker })
  const [taken] = await eventually('another has it', () => worker.taken.length > 0 && worker.taken)
  t.deepEqual(taken?.work, work)
  t.is(taken?.deliveries, 2)
})

test('what is in hand for longer than the ack wait stays there as long as the worker lives', async (t) => {
  const nats = await aNatsServer(t)
  const client = await aWorkerClient(t, nats, { ackWaitMs: patientMs })
  const queue = await aQueue(client)
  const [work, clock] = chunkWorkOf(aFileRef(), 2)
  await enqueueAll(queue, [work!])
  const worker = aWorker()
  run(t, { client, worker, slots: 8, ackWaitMs: patientMs })
  await eventually('it is in hand', () => worker.taken.length === 1)
  await queue.enqueue(clock!, { id: idOf(clock!), delayMs: 1.5 * patientMs, isRetry: false })
  await eventually('the ack wait has passed', () => worker.taken.some((taken) => taken.work.chunk === 1))
  t.is(worker.taken.length, 2)
  worker.finishAll()
  await eventually('both are done', async () => (await queue.outstanding(work!)).length === 0)
})

test('work that ignores its deadline is given to another', async (t) => {
  const nats = await aNatsServer(t)
  const [deaf, other] = [await aWorkerClient(t, nats, { ackWaitMs }), await aWorkerClient(t, nats, { ackWaitMs })]
  const queue = await aQueue(other)
  await enqueueAll(queue, chunkWorkOf(aFileRef(), 1))
  const log = aLog()
  const ignoring = aWorker()
  const stubborn = { ...ignoring, handle: () => new Promise<void>(() => undefined) }
  const stuck = run(t, { client: deaf, worker: stubborn, slots: 1, deadlineMs: 300, log })
  await eventually('it is in hand', () => stuck.handling() === 1)
  const worker = aWorker()
  run(t, { client: other, worker })
  await eventually('another has it', () => worker.taken.length > 0)
  t.true(log.lines.some(({ level, message }) => level === 'error' && message.includes('deadline')))
  t.is(stuck.handling(), 1, 'the slot is not free: its handler still runs')
})

test('a delay survives a broker that is killed, and what was due meanwhile comes when it is back', async (t) => {
  const nats = await aNatsServer(t)
  const client = await aWorkerClient(t, nats, { ackWaitMs })
  const queue = await aQueue(client)
  const ref = aFileRef()
  const [soon, later] = chunkWorkOf(ref, 2)
  await queue.enqueue(soon!, { id: idOf(soon!), delayMs: 500, isRetry: true })
  await queue.enqueue(later!, { id: idOf(later!), delayMs: 4_000, isRetry: true })
  const enqueuedMs = performance.now()
  const worker = aWorker()
  worker.finishAll()
  await nats.restart()
  run(t, { client, worker })
  await eventually('both have come', () => worker.taken.length === 2)
  t.true(performance.now() - enqueuedMs >= 3_900)
  t.deepEqual(
    worker.taken.map(({ work }) => work),
    [soon!, later!],
  )
  await eventually('nothing is left', async () => (await queue.outstanding(ref)).length === 0)
})

test('a worker survives that the broker is killed and started again, and loses nothing', async (t) => {
  const nats = await aNatsServer(t)
  const client = await aWorkerClient(t, nats, { ackWaitMs })
  const queue = await aQueue(client)
  const refs = ownersInDifferentLanes(3).map((owner) => aFileRef({ owner }))
  const works = refs.flatMap((ref) => chunkWorkOf(ref, 6))
  await enqueueAll(queue, works)
  const worker = aWorker()
  run(t, { client, worker, slots: 4 })
  await eventually('it is full', () => worker.handling().length === 4)
  await nats.restart()
  worker.finishAll()
  await eventually('all is done', async () => {
    const left = await Promise.all(refs.map((ref) => queue.outstanding(ref)))
    return left.flat().length === 0
  })
  t.is(new Set(worker.taken.map(({ work }) => idOf(work))).size, works.length)
})

test('a broker that freezes is waited for: nothing is lost, and no more is in hand than there are slots', async (t) => {
  const nats = await aNatsServer(t)
  const client = await aWorkerClient(t, nats, { ackWaitMs })
  const queue = await aQueue(client)
  const ref = aFileRef()
  const worker = aWorker()
  let most = 0
  const counting: Worker = {
    ...worker,
    handle(delivered) {
      most = Math.max(most, worker.handling().length + 1)
      return worker.handle(delivered)
    },
  }
  run(t, { client, worker: counting, slots: 3 })
  await nats.pause()
  const asking = queue.outstanding(ref)
  t.like(await failureOf(t, asking), { kind: 'away', code: 'broker_unavailable' })
  nats.resume()
  await enqueueAll(queue, chunkWorkOf(ref, 12))
  await eventually('it is full', () => worker.handling().length === 3)
  await nats.pause()
  t.like(await failureOf(t, queue.outstanding(ref)), { code: 'broker_unavailable' })
  worker.finishAll()
  nats.resume()
  await eventually('all is done', async () => (await queue.outstanding(ref)).length === 0)
  t.is(new Set(worker.taken.map(({ work }) => work.chunk)).size, 12)
  t.true(most <= 3, `${most} were in hand`)
})

test('a level whose consumer somebody deleted is read again', async (t) => {
  const nats = await aNatsServer(t)
  const client = await aWorkerClient(t, nats, { ackWaitMs })
  const queue = await aQueue(client)
  const [work] = chunkWorkOf(aFileRef(), 1)
  await enqueueAll(queue, [work!])
  for (let level = 0; level < 4; level += 1)
    await client.jsm.consumers.delete(workStreams.chunks.name, `level-${level}`)
  const worker = aWorker()
  worker.finishAll()
  const log = aLog()
  run(t, { client, worker, log })
  await eventually('it is done', async () => (await queue.outstanding(work!)).length === 0)
  t.true(log.lines.some(({ message }) => message === 'a consumer did not answer; it is there now'))
})

test('a worker that is too busy to look after its work takes none until that is over', async (t) => {
  const nats = await aNatsServer(t)
  const client = await aWorkerClient(t, nats, { ackWaitMs })
  const queue = await aQueue(client)
  const [work] = chunkWorkOf(aFileRef(), 1)
  await enqueueAll(queue, [work!])
  let isBusy = true
  let looks = 0
  const clock = {
    ...systemClock,
    elapsedMs() {
      looks += 1
      return isBusy ? looks * 10_000 : 1e9
    },
  }
  const worker = aWorker()
  const options = { client, queue: chunkQueue, giveUp: unwanted, ackWaitMs, deadlineMs: 60_000, log: silentLog }
  const running = runWork({ ...options, slots: 1, handle: worker.handle, clock })
  t.teardown(() => running.drain(0))
  await eventually('it has looked at the clock many times', () => looks > 20)
  t.is(worker.taken.length, 0)
  isBusy = false
  await eventually('it takes the work', () => worker.taken.length === 1)
})

test('a worker that is paused takes nothing until that is over', async (t) => {
  const nats = await aNatsServer(t)
  const client = await aWorkerClient(t, nats, { ackWaitMs })
  const queue = await aQueue(client)
  const [work] = chunkWorkOf(aFileRef(), 1)
  await enqueueAll(queue, [work!])
  let isPaused = true
  let looks = 0
  const worker = aWorker()
  const options = {
    client,
    queue: chunkQueue,
    giveUp: unwanted,
    ackWaitMs,
    deadlineMs: 60_000,
    clock: systemClock,
    log: silentLog,
  }
  const running = runWork({
    ...options,
    slots: 1,
    handle: worker.handle,
    isPaused() {
      looks += 1
      return isPaused
    },
  })
  t.teardown(() => running.drain(0))
  await eventually('it has looked several times', () => looks > 2)
  t.is(worker.taken.length, 0)
  isPaused = false
  await eventually('it takes the work', () => worker.taken.length === 1)
})

test('a message that is no work is taken out of the queue, and work behind it is done', async (t) => {
  const nats = await aNatsServer(t)
  const client = await aWorkerClient(t, nats, { ackWaitMs })
  const queue = await aQueue(client)
  const ref = aFileRef()
  const [first, second, work] = chunkWorkOf(ref, 3)
  const subjectOf = (input: ChunkWork): string =>
    dueSubject(workStreams.chunks, ref, { level: 0, tail: chunkQueue.tailOf(input) })
  await jetstream(client.connection).publish(subjectOf(first!), new Uint8Array([0xff, 0x00]))
  await jetstream(client.connection).publish(subjectOf(second!), JSON.stringify({ ...second, owner: '*' }))
  await enqueueAll(queue, [work!])
  const worker = aWorker()
  worker.finishAll()
  const log = aLog()
  run(t, { client, worker, slots: 1, log })
  await eventually('nothing is left', async () => (await queue.outstanding(ref)).length === 0)
  t.deepEqual(
    worker.taken.map(({ work: taken }) => taken),
    [work!],
  )
  t.is(log.lines.filter(({ level }) => level === 'error').length, 2)
})

test('work of a newer version is handed back again and again, and work behind it is done', async (t) => {
  const nats = await aNatsServer(t)
  const client = await aWorkerClient(t, nats, { ackWaitMs })
  const queue = await aQueue(client)
  const ref = aFileRef()
  const [newer, work] = chunkWorkOf(ref, 2)
  const subject = dueSubject(workStreams.chunks, ref, { level: 0, tail: chunkQueue.tailOf(newer!) })
  await jetstream(client.connection).publish(subject, JSON.stringify({ ...newer, v: newestForm + 1 }))
  await enqueueAll(queue, [work!])
  const worker = aWorker()
  worker.finishAll()
  const log = aLog()
  run(t, { client, worker, slots: 1, log })
  await eventually('it came twice', () => log.lines.filter(({ message }) => /newer version/.test(message)).length > 1)
  t.deepEqual(
    worker.taken.map(({ work: taken }) => taken),
    [work!],
  )
  t.deepEqual(await queue.outstanding(ref), [newer!])
})

test('retries that wait in a queue of their own are done also when the setting has changed', async (t) => {
  const nats = await aNatsServer(t)
  const client = await aWorkerClient(t, nats, { ackWaitMs })
  const [separate, together] = [await aQueue(client, true), await aQueue(client)]
  const [work] = chunkWorkOf(aFileRef(), 1)
  await separate.enqueue(work!, { id: 'one', delayMs: 0, isRetry: true })
  t.is((await client.jsm.streams.info(workStreams.chunkRetries.name)).state.messages, 1)
  t.deepEqual(await together.outstanding(work!), [work!])
  const worker = aWorker()
  worker.finishAll()
  run(t, { client, worker })
  await eventually('it is done', async () => (await together.outstanding(work!)).length === 0)
  t.is(worker.taken.length, 1)
})

test('what was stored and whose answer was lost is sent again, and stored once', async (t) => {
  const nats = await aNatsServer(t)
  const proxy = await aLossyProxy(t, nats.port)
  const client = await aWorkerClient(t, nats, { ackWaitMs, port: proxy.port })
  // as the callers see it that are not told early: the connection ends, and comes back
  const queue = await aQueue({ ...client, isAway: () => false })
  const [now1, later] = chunkWorkOf(aFileRef(), 2)
  proxy.loseNextAnswer()
  await queue.enqueue(now1!, { id: idOf(now1!), ...now })
  proxy.loseNextQuestion()
  await queue.enqueue(later!, { id: idOf(later!), delayMs: 60_000, isRetry: true })
  t.is((await queue.outstanding(now1!)).length, 2)
  t.is((await client.jsm.streams.info(workStreams.chunks.name)).state.messages, 2)
})

test('while the broker is away enqueueing and asking fail at once as something to try again', async (t) => {
  const nats = await aNatsServer(t)
  const client = await aWorkerClient(t, nats, { ackWaitMs })
  const queue = await aQueue(client)
  const [work] = chunkWorkOf(aFileRef(), 1)
  await nats.kill9()
  await eventually('it is known', () => client.isAway?.())
  for (const outcome of [
    queue.enqueue(work!, { id: 'one', ...now }),
    queue.enqueue(work!, { id: 'two', delayMs: 1_000, isRetry: true }),
    queue.outstanding(work!),
  ])
    t.like(await failureOf(t, outcome), { kind: 'away', code: 'broker_unavailable' })
})

test('a worker that has left leaves no subscription behind', async (t) => {
  const nats = await aNatsServer(t)
  const client = await aWorkerClient(t, nats, { ackWaitMs })
  const before = subscriptions(client.connection)
  const running = run(t, { client, worker: aWorker() })
  t.true(subscriptions(client.connection) > before)
  await running.drain(0)
  t.is(subscriptions(client.connection), before)
})

/** The client counts them, but tells nobody. */
function subscriptions(connection: unknown): number {
  return (connection as { protocol: { subscriptions: { size(): number } } }).protocol.subscriptions.size()
}

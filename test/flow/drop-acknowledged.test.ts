import { cp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

import test from 'ava'

import { dropAcknowledged } from '../../infra/nats/queue/drop-acknowledged.ts'
import { runWork } from '../../infra/nats/queue/run-work.ts'
import { chunkQueue } from '../../infra/nats/queue/work-kinds.ts'
import { openWorkQueue } from '../../infra/nats/queue/work-queue.ts'
import { levelPlans } from '../../infra/nats/topology/consumers.ts'
import { workStreams } from '../../infra/nats/topology/queue-names.ts'
import { systemClock } from '../../infra/timing/clock.ts'
import { eventually } from '../support/eventually.ts'
import { aFolder } from '../support/folder.ts'
import { aNatsServer } from '../support/nats.ts'
import { aFileRef, aWorker, aWorkerClient, chunkWorkOf, idOf, unwanted } from '../support/queues.ts'
import { silentLog } from '../support/silent-log.ts'

const ackWaitMs = 1_000

test('what a broker kept although it was acknowledged no longer counts as waiting, and nothing else is dropped', async (t) => {
  const nats = await aNatsServer(t)
  const client = await aWorkerClient(t, nats, { ackWaitMs })
  const queue = await openWorkQueue(client, { queue: chunkQueue, isSeparate: false, clock: systemClock })
  const plans = levelPlans(workStreams.chunks, ackWaitMs)
  const enqueue = async (works: ReturnType<typeof chunkWorkOf>, delayMs = 0): Promise<void> => {
    for (const work of works) await queue.enqueue(work, { id: idOf(work), delayMs, isRetry: false })
  }
  const [done, later, fresh] = [aFileRef(), aFileRef(), aFileRef()]
  await enqueue(chunkWorkOf(later, 1), 3_600_000)
  await enqueue(chunkWorkOf(done, 6))

  // the messages as they were before they were acknowledged, beside consumers that know of it: a power cut between two writes
  const entries = await readdir(nats.storeDir, { recursive: true })
  const messages = join(
    nats.storeDir,
    entries.find((entry) => entry.endsWith(`${workStreams.chunks.name}/msgs`))!,
  )
  const before = await aFolder(t)
  await cp(messages, before, { recursive: true })
  const worker = aWorker()
  worker.finishAll()
  const running = runWork({
    client,
    queue: chunkQueue,
    slots: 8,
    handle: worker.handle,
    giveUp: unwanted,
    ackWaitMs,
    deadlineMs: 60_000,
    clock: systemClock,
    log: silentLog,
  })
  await eventually('all is acknowledged', async () => (await queue.outstanding(done)).length === 0)
  await running.drain(0)
  const floor = async (): Promise<number> => {
    const infos = plans.map((plan) => client.jsm.consumers.info(plan.stream, plan.name))
    return Math.max(...(await Promise.all(infos)).map((info) => info.ack_floor.stream_seq))
  }
  t.is(await floor(), 7)
  // in order: what the consumers know is written down
  await nats.restart('SIGTERM')
  await nats.kill9()
  await rm(messages, { recursive: true })
  await cp(before, messages, { recursive: true })
  await nats.restart()

  await eventually('the broker answers', () =>
    queue.outstanding(done).then(
      () => true,
      () => false,
    ),
  )
  t.is((await queue.outstanding(done)).length, 6)
  t.is(await floor(), 7)
  await enqueue(chunkWorkOf(fresh, 2))
  t.is(await dropAcknowledged(client, plans), 6)
  t.is((await queue.outstanding(done)).length, 0)
  t.is((await queue.outstanding(later)).length, 1)
  t.is((await queue.outstanding(fresh)).length, 2)
  t.is(await dropAcknowledged(client, plans), 0)
})

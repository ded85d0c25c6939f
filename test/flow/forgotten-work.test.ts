import test from 'ava'

import { runWork } from '../../infra/nats/queue/run-work.ts'
import { chunkQueue } from '../../infra/nats/queue/work-kinds.ts'
import { openWorkQueue } from '../../infra/nats/queue/work-queue.ts'
import { systemClock } from '../../infra/timing/clock.ts'
import { eventually } from '../support/eventually.ts'
import { aNatsServer } from '../support/nats.ts'
import { aFileRef, aWorker, aWorkerClient, chunkWorkOf, idOf, unwanted } from '../support/queues.ts'
import { silentLog } from '../support/silent-log.ts'

const ackWaitMs = 5_000

test('of work that was stored before its worker connected, or connected again, somebody else may have been given it; of other work nobody', async (t) => {
  const nats = await aNatsServer(t)
  const sender = await aWorkerClient(t, nats, { ackWaitMs })
  const queue = await openWorkQueue(sender, { queue: chunkQueue, isSeparate: false, clock: systemClock })
  const works = chunkWorkOf(aFileRef(), 4)
  const enqueue = (chunk: number): Promise<void> =>
    queue.enqueue(works[chunk]!, { id: idOf(works[chunk]!), delayMs: 0, isRetry: false })

  await enqueue(0)
  const client = await aWorkerClient(t, nats, { ackWaitMs })
  const worker = aWorker()
  const shared = { client, queue: chunkQueue, giveUp: unwanted, ackWaitMs, deadlineMs: 60_000 }
  const running = runWork({ ...shared, slots: 1, handle: worker.handle, clock: systemClock, log: silentLog })
  t.teardown(() => running.drain(0))
  const next = async (count: number): Promise<void> => {
    await eventually(`${count} were taken`, () => worker.taken.length === count)
    worker.taken[count - 1]!.finish()
  }
  await next(1)
  await enqueue(1)
  await eventually('it is in hand', () => worker.taken.length === 2)
  // waits behind the one that is in hand
  await enqueue(2)
  // one that is killed forgets the one in hand, or not
  await nats.restart('SIGTERM')
  await next(2)
  await next(3)
  await eventually('the broker is back', () =>
    enqueue(3).then(
      () => true,
      () => false,
    ),
  )
  await next(4)
  t.deepEqual(
    worker.taken.map(({ work, mayBeForgotten }) => [work.chunk, mayBeForgotten]),
    [
      [0, true],
      [1, false],
      [2, true],
      [3, false],
    ],
  )
})

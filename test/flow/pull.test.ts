import test from 'ava'
import type { ExecutionContext } from 'ava'

import type { Delivery } from '../../infra/nats/queue/delivery.ts'
import { openSource } from '../../infra/nats/queue/pull.ts'
import type { DeliverySource } from '../../infra/nats/queue/pull.ts'
import { chunkQueue } from '../../infra/nats/queue/work-kinds.ts'
import { openWorkQueue } from '../../infra/nats/queue/work-queue.ts'
import { levelConsumer, workStreams } from '../../infra/nats/topology/queue-names.ts'
import { systemClock } from '../../infra/timing/clock.ts'
import { eventually } from '../support/eventually.ts'
import { aNatsServer } from '../support/nats.ts'
import type { TestNats } from '../support/nats.ts'
import { aFileRef, aWorkerClient, chunkWorkOf, idOf } from '../support/queues.ts'

interface Level {
  readonly nats: TestNats
  readonly source: DeliverySource
  readonly late: Delivery[]
  readonly isClosed: () => Promise<void>
}

/** A level in which this many pieces of work wait. */
async function aLevel(t: ExecutionContext, count: number, consumer?: string): Promise<Level> {
  const nats = await aNatsServer(t)
  const client = await aWorkerClient(t, nats)
  const queue = await openWorkQueue(client, { queue: chunkQueue, isSeparate: false, clock: systemClock })
  const ref = aFileRef()
  for (const work of chunkWorkOf(ref, count)) await queue.enqueue(work, { id: idOf(work), delayMs: 0, isRetry: false })
  const late: Delivery[] = []
  const source = openSource(client.connection, {
    stream: workStreams.chunks.name,
    consumer: consumer ?? levelConsumer(0),
    late: (delivery) => void late.push(delivery),
  })
  return { nats, source, late, isClosed: () => client.connection.close() }
}

test('a pull gives what is there, at most as many as were asked for, and nothing when there is nothing', async (t) => {
  const { source } = await aLevel(t, 5)
  t.is((await source.pull({ batch: 3 })).length, 3)
  t.is((await source.pull({ batch: 3 })).length, 2)
  t.deepEqual(await source.pull({ batch: 3 }), [])
})

test('who waits is given each as it comes, at most as many as were asked for, until no more come', async (t) => {
  const { source } = await aLevel(t, 5)
  const came: Delivery[] = []
  const each = (delivery: Delivery): void => void came.push(delivery)
  t.is(await source.receive({ batch: 3, expiresMs: 60_000, each }), 'over')
  t.is(came.length, 3)
  t.is(await source.receive({ batch: 3, expiresMs: 100, each }), 'over')
  t.is(came.length, 5)
  const waiting = source.receive({ batch: 3, expiresMs: 60_000, each })
  source.giveUp()
  t.is(await waiting, 'silent')
})

test('an answer to a pull that was given up is in our hands all the same', async (t) => {
  const { nats, source, late } = await aLevel(t, 2)
  await nats.pause()
  t.is(await source.pull({ batch: 1 }), 'silent')
  nats.resume()
  await eventually('it has arrived', () => late.length === 1)
  t.is(late[0]?.deliveries, 1)
  const next = await source.pull({ batch: 1 })
  t.like(next, [{ body: { chunk: 1 } }])
})

test('a consumer that is not there is unavailable, and a closed connection silent', async (t) => {
  const { source, isClosed } = await aLevel(t, 0, 'level-99')
  t.is(await source.pull({ batch: 1 }), 'unavailable')
  await isClosed()
  t.is(await source.pull({ batch: 1 }), 'silent')
})

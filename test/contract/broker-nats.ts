import type { ExecutionContext } from 'ava'

import type { ChunkWork } from '../../actors/chunk/protocol.ts'
import type { FileRef } from '../../actors/ids.ts'
import { systemClock } from '../../infra/clock.ts'
import { openLanes } from '../../infra/nats/lanes.ts'
import type { Delivery } from '../../infra/nats/delivery.ts'
import { dueSubject, laterSubject, workStreams } from '../../infra/nats/queue-names.ts'
import { openRecords } from '../../infra/nats/records.ts'
import { buckets } from '../../infra/nats/topology.ts'
import { chunkQueue } from '../../infra/nats/work-kinds.ts'
import { openWorkQueue } from '../../infra/nats/work-queue.ts'
import { eventually } from '../support/eventually.ts'
import type { TestNats } from '../support/nats.ts'
import { aWorkerClient, idOf } from '../support/queues.ts'
import { silentLog } from '../support/silent-log.ts'
import type { Broker } from './broker-script.ts'
import type { Note } from './records.ts'

const ackWaitMs = 10_000
const room = 16
const comesWithinMs = 30_000

/** This machine was so slow that what it had in hand was given to another: the story is told again. */
export class TooSlow extends Error {}

/** The same through our adapters, on a real server. */
export async function natsBroker(t: ExecutionContext, nats: TestNats, ref: FileRef): Promise<Broker> {
  const client = await aWorkerClient(t, nats, { ackWaitMs })
  const queue = await openWorkQueue(client, { queue: chunkQueue, isSeparate: false, clock: systemClock })
  // any bucket has the settings of all
  const records = await openRecords<Note>(client, buckets.quotas)
  const stream = workStreams.chunks
  const late: Delivery[] = []
  const lanes = openLanes({ ...client, stream, ackWaitMs, log: silentLog, late: (one) => late.push(one) })
  t.teardown(() => lanes.close())
  const hands = new Map<number, Delivery>()
  let touchedMs = performance.now()

  /** Before each step: who has something in hand says so, as a worker does. */
  function touch(): void {
    const idleMs = performance.now() - touchedMs
    if (hands.size > 0 && idleMs > ackWaitMs * 0.8) throw new TooSlow(`${idleMs} ms between two steps`)
    for (const delivery of hands.values()) delivery.working()
    touchedMs = performance.now()
  }

  async function takeWhatIsThere(): Promise<string[]> {
    const taken: string[] = []
    for (;;) {
      const { deliveries, isTroubled } = await lanes.take(room)
      for (const delivery of [...deliveries, ...late.splice(0)]) {
        const { chunk } = delivery.body as ChunkWork // as: only this test enqueues here
        hands.set(chunk, delivery)
        taken.push(`${chunk}x${delivery.deliveries}`)
      }
      if (deliveries.length === 0 && !isTroubled) return taken
    }
  }

  return {
    records,
    enqueue(chunk, delayMs) {
      touch()
      const work = { ...ref, chunk, attempt: 1 }
      return queue.enqueue(work, { id: idOf(work), delayMs, isRetry: false })
    },
    async take(expected = []) {
      touch()
      const taken: string[] = []
      await eventually(
        'what was expected has come',
        async () => {
          taken.push(...(await takeWhatIsThere()))
          touch()
          return taken.length >= expected.length
        },
        comesWithinMs,
      )
      return taken.sort()
    },
    async ack(chunk) {
      touch()
      await hands.get(chunk)?.ack()
      hands.delete(chunk)
    },
    async giveBack(chunk) {
      touch()
      hands.get(chunk)?.nak()
      hands.delete(chunk)
      await client.connection.flush()
    },
    async fallSilent() {
      hands.clear()
    },
    async outstanding() {
      touch()
      return (await queue.outstanding(ref)).map(({ chunk }) => chunk).sort((one, other) => one - other)
    },
    async lose(chunk) {
      touch()
      const tail = chunkQueue.tailOf({ ...ref, chunk, attempt: 1 })
      for (const filter of [dueSubject(stream, ref, tail), laterSubject(stream, ref, tail)])
        await client.jsm.streams.purge(stream.name, { filter })
    },
    async restart() {
      touch()
      await nats.restart()
      await eventually('the broker answers again', async () => Boolean(await client.jsm.streams.info(stream.name)))
      touch()
    },
  }
}

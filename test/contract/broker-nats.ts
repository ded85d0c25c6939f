import type { ExecutionContext } from 'ava'
import { createInbox } from 'nats'
import type { Msg } from 'nats'

import type { ChunkWork } from '../../actors/chunk/protocol.ts'
import type { RunRef } from '../../actors/ids.ts'
import { deliveryOf } from '../../infra/nats/queue/delivery.ts'
import type { Delivery } from '../../infra/nats/queue/delivery.ts'
import type { WorkerClient } from '../../infra/nats/queue/run-work.ts'
import { chunkQueue } from '../../infra/nats/queue/work-kinds.ts'
import { openWorkQueue } from '../../infra/nats/queue/work-queue.ts'
import { openRecords } from '../../infra/nats/records/records.ts'
import { dueSubject, laterSubject, levelConsumer, workStreams } from '../../infra/nats/topology/queue-names.ts'
import { buckets } from '../../infra/nats/topology/topology.ts'
import { systemClock } from '../../infra/timing/clock.ts'
import { eventually } from '../support/eventually.ts'
import type { TestNats } from '../support/nats.ts'
import { aWorkerClient, idOf } from '../support/queues.ts'
import type { ScriptedBroker, ScriptedDue } from './broker-script.ts'
import type { NoteRecord } from './records.ts'

/** As short as may be: who is silent for longer while it has something in hand is given it again, and that is told as once. */
const ackWaitMs = 2000
const comesWithinMs = 60_000
/** No script takes longer, on any machine. */
const rememberedNanos = 3_600_000_000_000
const delaysMs: Readonly<Record<ScriptedDue, number>> = { now: 0, soon: 1000, later: 3_600_000 }
const stream = workStreams.chunks
/** More than any script has. */
const room = 64

/** The same on a real server, with our streams and consumers, and through our adapters but for the taking. */
export async function natsBroker(t: ExecutionContext, nats: TestNats, ref: RunRef): Promise<ScriptedBroker> {
  const client = await aWorkerClient(t, nats, { ackWaitMs })
  await client.jsm.streams.update(stream.name, { duplicate_window: rememberedNanos })
  const queue = await openWorkQueue(client, { queue: chunkQueue, isSeparate: false, clock: systemClock })
  // any bucket has the settings of all
  const records = await openRecords<NoteRecord>(client, buckets.quotas)
  const ongoing = openHands(client, levelConsumer(0))
  const subjectsOf = (chunk: number): string[] => {
    const tail = chunkQueue.tailOf({ ...ref, chunk, attempt: 1 })
    return [dueSubject(stream, ref, { level: 0, tail }), laterSubject(stream, ref, tail)]
  }
  let silent: readonly Taken[] = []
  const lastStored = async (): Promise<number> => (await client.jsm.streams.info(stream.name)).state.last_seq

  async function take(expected: readonly string[]): Promise<string[]> {
    const taken: string[] = []
    await eventually(
      'what was expected has come',
      async () => {
        taken.push(...(await ongoing.take()))
        return taken.length >= expected.length
      },
      comesWithinMs,
    )
    return taken.sort()
  }

  return {
    records,
    async enqueue(chunk, due) {
      const work = { ...ref, chunk, attempt: 1 }
      const before = await lastStored()
      await queue.enqueue(work, { id: idOf(work), delayMs: delaysMs[due], isRetry: false })
      const stored = await lastStored()
      if (stored === before) return false
      // it is stored again when its time has come
      if (due === 'soon')
        await eventually('its time has come', async () => (await lastStored()) > stored, comesWithinMs)
      return true
    },
    take,
    ack: async (chunk) => ongoing.letGo(chunk)?.ack(),
    async giveBack(chunk) {
      ongoing.letGo(chunk)?.nak()
      await client.connection.flush()
    },
    fallSilent(expected) {
      silent = ongoing.letAllGo()
      return take(expected)
    },
    ackLate: async (chunk) => silent.find((one) => one.chunk === chunk)?.ack(),
    outstanding: async () => (await queue.outstanding(ref)).map(({ chunk }) => chunk).sort((one, other) => one - other),
    async lose(chunk) {
      for (const filter of subjectsOf(chunk)) await client.jsm.streams.purge(stream.name, { filter })
    },
    async restart(by) {
      await nats.restart(by === 'kill' ? 'SIGKILL' : 'SIGTERM')
      await eventually('the broker answers again', async () => Boolean(await lastStored()))
    },
  }
}

interface Taken extends Delivery {
  readonly chunk: number
  /** Tells messages apart; the older one has the smaller. */
  readonly sequence: number
}

/** What one taker has. */
interface Hands {
  /** Whatever is there now, of what is not in hand: the chunk and how often it was delivered. */
  take(): Promise<string[]>
  letGo(chunk: number): Taken | undefined
  /** The oldest first. */
  letAllGo(): readonly Taken[]
}

function openHands({ connection }: Pick<WorkerClient, 'connection'>, consumer: string): Hands {
  const held = new Map<number, Taken>()
  /** By the number of a message: how often it came while it was in hand, because this machine was slow. */
  const again = new Map<number, number>()

  /** True when it was not in hand. */
  function hold(taken: Taken): boolean {
    const { sequence } = taken
    const isNew = !held.has(sequence)
    if (!isNew) again.set(sequence, (again.get(sequence) ?? 0) + 1)
    held.set(sequence, taken)
    return isNew
  }

  const inOrder = (): Taken[] => [...held.values()].sort((one, other) => one.sequence - other.sequence)

  async function pull(): Promise<Taken[]> {
    const inbox = createInbox()
    const subscription = connection.subscribe(inbox)
    const request = JSON.stringify({ batch: room, no_wait: true })
    connection.publish(`$JS.API.CONSUMER.MSG.NEXT.${stream.name}.${consumer}`, request, { reply: inbox })
    const pulled: Taken[] = []
    for await (const message of subscription) {
      // the last word is the server's own
      if (message.subject === inbox) break
      const { chunk } = message.json<ChunkWork>()
      pulled.push({ ...deliveryOf(connection, message), chunk, sequence: sequenceOf(message) })
    }
    return pulled
  }

  return {
    async take() {
      const fresh = (await pull()).filter(hold)
      return fresh.map(({ chunk, sequence, deliveries }) => `${chunk}x${deliveries - (again.get(sequence) ?? 0)}`)
    },
    letGo(chunk) {
      const oldest = inOrder().find((one) => one.chunk === chunk)
      if (oldest) held.delete(oldest.sequence)
      return oldest
    },
    letAllGo() {
      const all = inOrder()
      held.clear()
      return all
    },
  }
}

/** `$JS.ACK.<stream>.<consumer>.<deliveries>.<sequence>.…`, on newer servers with domain and account before the stream. */
function sequenceOf({ reply = '' }: Msg): number {
  const parts = reply.split('.')
  return Number(parts[parts.length === 9 ? 5 : 7])
}

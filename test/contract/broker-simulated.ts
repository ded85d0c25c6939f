import type { ChunkWork } from '../../actors/chunk/protocol.ts'
import type { FileRef } from '../../actors/ids.ts'
import { createOracle } from '../sim/oracle.ts'
import { queueFor } from '../sim/platform.ts'
import { startProcess } from '../sim/process.ts'
import { createRandom } from '../sim/random.ts'
import { createStore } from '../sim/stores.ts'
import { createStream } from '../sim/streams.ts'
import type { Consumer, Hand } from '../sim/streams.ts'
import { ackWaitMs, createWorld } from '../sim/world.ts'
import type { Process } from '../sim/world.ts'
import type { Broker } from './broker-script.ts'
import type { Note } from './records.ts'
import { idOf } from '../support/queues.ts'

/** Longer than any delay of a script. */
const aWhileMs = 2600

/** What the simulator takes for a broker, on fair days. */
export function simulatedBroker(seed: number, ref: FileRef): Broker {
  const world = createWorld(createRandom(seed, 'contract'))
  const stream = createStream<ChunkWork>(world, {
    name: 'chunks',
    breaks: { ackFirst: false, uncountedDeaths: false },
  })
  const oracle = createOracle()
  const hands = new Map<number, Hand<ChunkWork>>()
  let consumer = hire()

  function hire(): Consumer<ChunkWork> & { readonly process: Process } {
    const hired: Consumer<ChunkWork> = {
      process: startProcess(world, 'test'),
      free: 0,
      most: 1,
      deadlineMs: 0,
      handle(given) {
        for (const hand of given) hands.set(hand.work.chunk, hand)
        return new Promise(() => undefined)
      },
    }
    stream.consume(hired)
    return hired
  }

  /** Time goes by until it is answered. */
  async function during<Result>(asked: Promise<Result>): Promise<Result> {
    let isOver = false
    const answered = asked.finally(() => {
      isOver = true
    })
    await world.run({ isOver: () => isOver, untilMs: Infinity, afterEach: () => undefined })
    return answered
  }
  const pass = (ms: number): Promise<void> => during(world.sleep(consumer.process, ms))
  const queue = (): ReturnType<typeof queueFor<ChunkWork>> => queueFor({ world, oracle }, stream, consumer.process)
  const store = createStore<Note>(world, { name: 'notes', breaks: { staleDecisions: false, blindWrites: false } })
  const records = store.portFor(startProcess(world, 'clerk'))

  return {
    records: {
      create: (key, value) => during(records.create(key, value)),
      read: (key) => during(records.read(key)),
      readMany: (keys) => during(records.readMany(keys)),
      replace: (key, value, revision) => during(records.replace(key, value, revision)),
      remove: (key) => during(records.remove(key)),
      keys: () => during(records.keys()),
      readUnder: (prefix) => during(records.readUnder(prefix)),
    },
    enqueue: (chunk, delayMs) => {
      const work = { ...ref, chunk, attempt: 1 }
      return during(queue().enqueue(work, { id: idOf(work), delayMs, isRetry: false }))
    },
    async take() {
      await pass(aWhileMs)
      const before = new Set(hands.values())
      consumer.free = Infinity
      stream.dispatch()
      consumer.free = 0
      const taken = [...hands.values()].filter((hand) => !before.has(hand))
      return taken.map(({ work, deliveries }) => `${work.chunk}x${deliveries}`).sort()
    },
    async ack(chunk) {
      const hand = hands.get(chunk)
      hands.delete(chunk)
      if (hand) await during(hand.ack())
    },
    async giveBack(chunk) {
      const hand = hands.get(chunk)
      hands.delete(chunk)
      if (hand) await during(hand.giveBack())
    },
    async fallSilent() {
      hands.clear()
      world.crash(consumer.process, 'the script wants it')
      consumer = hire()
      await pass(ackWaitMs)
    },
    async outstanding() {
      const found = await during(queue().outstanding(ref))
      return [...new Set(found.map(({ chunk }) => chunk))].sort((one, other) => one - other)
    },
    lose(chunk) {
      for (const message of stream.messages) if (message.body.chunk === chunk) stream.lose(message)
      return Promise.resolve()
    },
    restart() {
      stream.forgetIds()
      return Promise.resolve()
    },
  }
}

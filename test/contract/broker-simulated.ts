import type { ChunkWork } from '../../actors/chunk/protocol.ts'
import type { RunRef } from '../../actors/ids.ts'
import { createOracle } from '../sim/oracle.ts'
import { queueFor } from '../sim/platform.ts'
import { startProcess } from '../sim/process.ts'
import { createRandom } from '../sim/random.ts'
import { createStore } from '../sim/stores.ts'
import { createStream } from '../sim/streams.ts'
import type { Consumer } from '../sim/streams.ts'
import type { Hand } from '../sim/hand.ts'
import { ackWaitMs, createWorld } from '../sim/world.ts'
import type { ScriptedBroker, ScriptedDue } from './broker-script.ts'
import type { NoteRecord } from './records.ts'
import { idOf } from '../support/queues.ts'

/** Longer than it takes until what is due soon is due, and what was given back comes again. */
const aWhileMs = 2600
const delaysMs: Readonly<Record<ScriptedDue, number>> = { now: 0, soon: 1000, later: 3_600_000 }
const silenceMs = ackWaitMs + 1
/** For longer a queue does not remember ids; a script that takes longer tells another story each time. */
const tooLongMs = 120_000

/** What the simulator takes for a broker, on fair days. */
export function simulatedBroker(seed: number, ref: RunRef): ScriptedBroker {
  const world = createWorld(createRandom(seed, 'contract'))
  const stream = createStream<ChunkWork>(world, {
    name: 'chunks',
    breaks: { ackFirst: false, uncountedDeaths: false },
  })
  const oracle = createOracle()
  let ongoing: Hand<ChunkWork>[] = []
  let silent: Hand<ChunkWork>[] = []
  let consumer = openConsumer()

  function openConsumer(): Consumer<ChunkWork> {
    const opened: Consumer<ChunkWork> = {
      process: startProcess(world, 'test'),
      free: 0,
      most: 1,
      deadlineMs: 0,
      handle(given) {
        ongoing.push(...given)
        return new Promise(() => undefined)
      },
    }
    stream.consume(opened)
    return opened
  }

  /** Time goes by until it is answered. */
  async function during<Result>(asked: Promise<Result>): Promise<Result> {
    let isOver = false
    const answered = asked.finally(() => {
      isOver = true
    })
    await world.run({ isOver: () => isOver, untilMs: Infinity, afterEach: () => undefined })
    if (world.nowMs() > tooLongMs) throw new Error('this script is too long')
    return answered
  }
  const pass = (ms: number): Promise<void> => during(world.sleep(consumer.process, ms))
  const queue = (): ReturnType<typeof queueFor<ChunkWork>> => queueFor({ world, oracle }, stream, consumer.process)
  const store = createStore<NoteRecord>(world, { name: 'notes', breaks: { staleDecisions: false, blindWrites: false } })
  const records = store.portFor(startProcess(world, 'clerk'))

  async function take(): Promise<string[]> {
    await pass(aWhileMs)
    const before = ongoing.length
    consumer.free = Infinity
    stream.dispatch()
    consumer.free = 0
    const taken = ongoing.slice(before)
    // the oldest first, as they are answered
    const order = [...stream.messages].map(({ body }) => body)
    ongoing.sort((one, other) => order.indexOf(one.work) - order.indexOf(other.work))
    return taken.map(({ work, deliveries }) => `${work.chunk}x${deliveries}`).sort()
  }

  function letGo(chunk: number): Hand<ChunkWork> | undefined {
    const hand = ongoing.find(({ work }) => work.chunk === chunk)
    ongoing = ongoing.filter((one) => one !== hand)
    return hand
  }

  return {
    records: {
      create: (key, value) => during(records.create(key, value)),
      read: (key) => during(records.read(key)),
      readMany: (keys) => during(records.readMany(keys)),
      replace: (key, value, revision) => during(records.replace(key, value, revision)),
      remove: (key, revision) => during(records.remove(key, revision)),
      erase: (key) => during(records.erase(key)),
      compact: () => during(records.compact()),
      backOff: (conflicts) => during(records.backOff(conflicts)),
      ageMs: (stored) => during(records.ageMs(stored)),
      keys: () => during(records.keys()),
      inOrder: (after, most) => during(records.inOrder(after, most)),
      readUnder: (prefix) => during(records.readUnder(prefix)),
      readManyUnder: (prefixes) => during(records.readManyUnder(prefixes)),
    },
    async enqueue(chunk, due) {
      const work = { ...ref, chunk, attempt: 1 }
      const before = stream.messages.size
      await during(queue().enqueue(work, { id: idOf(work), delayMs: delaysMs[due], isRetry: false }))
      if (due === 'soon') await pass(aWhileMs)
      return stream.messages.size > before
    },
    take,
    async ack(chunk) {
      const hand = letGo(chunk)
      if (hand) await during(hand.ack())
    },
    async giveBack(chunk) {
      const hand = letGo(chunk)
      if (hand) await during(hand.giveBack(new Error('not done')))
    },
    async fallSilent() {
      silent = ongoing
      ongoing = []
      world.pause(consumer.process, silenceMs)
      consumer = openConsumer()
      await pass(silenceMs)
      return take()
    },
    async ackLate(chunk) {
      const hand = silent.find(({ work }) => work.chunk === chunk)
      if (hand) await during(hand.ack())
    },
    async outstanding() {
      const found = await during(queue().outstanding(ref))
      return [...new Set(found.map(({ chunk }) => chunk))].sort((one, other) => one - other)
    },
    lose(chunk) {
      for (const message of stream.messages) if (message.body.chunk === chunk) stream.lose(message)
      return Promise.resolve()
    },
    restart(by) {
      stream.restart(by)
      return Promise.resolve()
    },
  }
}

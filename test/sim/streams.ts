import { awayCodeOf } from '../../actors/failure.ts'
import { deadlineOf, MessageInHand } from './hand.ts'
import type { Hand } from './hand.ts'
import { createPin } from './pin.ts'
import { ackWaitMs } from './world.ts'
import type { Process, World } from './world.ts'

/** A work queue of the broker: at least once, in no order, the same id once in two minutes as far as it remembers. */
export interface SimStream<Body> {
  readonly name: string
  readonly messages: ReadonlySet<StreamMessage<Body>>
  /** True when it was stored; otherwise it is known already. */
  publish(body: Body, input: { readonly id: string; readonly delayMs: number }): boolean
  consume(consumer: Consumer<Body>): void
  /** Gives what waits to those who have a hand free. */
  dispatch(): void
  /** Knows only the ids of what it still keeps. When it was killed it may not know what it delivered a moment before. */
  restart(by: 'kill' | 'order'): void
  lose(message: StreamMessage<Body>): void
}

interface StreamMessage<Body> {
  readonly body: Body
  readonly id: string
  deliveries: number
  deliveredAtMs: number
  /** Or when its time had come. */
  storedAtMs: number
  /** The broker does not know that somebody has it, and hears no answer about it until it was delivered again. */
  isForgotten: boolean
  /** Its id is stored with it. What waited for its time loses it then. */
  isNamed: boolean
  /** Waits to be delivered; otherwise it is in somebody's hands or not due yet. */
  isReady: boolean
}

export interface Consumer<Body> {
  readonly process: Process
  /** How many deliveries it has room for. */
  free: number
  /** Most messages in one delivery. */
  readonly most: number
  readonly deadlineMs: number
  /** While true it takes nothing. */
  isPaused?(): boolean
  handle(ongoing: readonly Hand<Body>[]): Promise<void>
}

interface StreamOptions {
  readonly name: string
  /** One of those who take is given everything. */
  readonly isPinned?: boolean
  readonly breaks: { readonly ackFirst: boolean; readonly uncountedDeaths: boolean }
}

const rememberedMs = 120_000
/** The server writes down what its consumers were given this often. */
const notedEveryMs = 100
/** What a worker is told that must stop; not a failure of the work. */
export const stopped = new Error('the worker stops')

export function createStream<Body>(world: World, { name, breaks, isPinned }: StreamOptions): SimStream<Body> {
  const { random } = world
  const messages = new Set<StreamMessage<Body>>()
  const ready: StreamMessage<Body>[] = []
  const storedAtMs = new Map<string, number>()
  const consumers = new Set<Consumer<Body>>()
  let killedAtMs = -1
  const pin = createPin<Consumer<Body>>(world)

  function makeReady(message: StreamMessage<Body>): void {
    if (!messages.has(message) || message.isReady) return
    message.isReady = true
    ready.push(message)
  }

  function drop(message: StreamMessage<Body>): void {
    messages.delete(message)
    if (message.isReady) ready.splice(ready.indexOf(message), 1)
    message.isReady = false
  }

  function publish(body: Body, input: { id: string; delayMs: number }): boolean {
    const knownMs = storedAtMs.get(input.id)
    if (knownMs !== undefined && world.nowMs() - knownMs < rememberedMs) {
      world.count('duplicate refused')
      return false
    }
    storedAtMs.set(input.id, world.nowMs())
    const untouched = { deliveries: 0, deliveredAtMs: 0, isForgotten: false, isNamed: true, isReady: false }
    const message: StreamMessage<Body> = { body, id: input.id, storedAtMs: world.nowMs(), ...untouched }
    messages.add(message)
    const itsTimeHasCome = (): void => {
      message.isNamed = false
      message.storedAtMs = world.nowMs()
      makeReady(message)
    }
    if (input.delayMs === 0) makeReady(message)
    else world.after(input.delayMs + random.between(0, 1000), itsTimeHasCome)
    return true
  }

  function takeOne(): StreamMessage<Body> | undefined {
    const at = random.below(ready.length)
    const message = ready[at]
    if (!message) return undefined
    ready[at] = ready[ready.length - 1]!
    ready.pop()
    message.isReady = false
    message.deliveries += 1
    message.deliveredAtMs = world.nowMs()
    message.isForgotten = false
    if (breaks.ackFirst) messages.delete(message)
    return message
  }

  function deliver(consumer: Consumer<Body>): void {
    const ongoing: Hand<Body>[] = []
    const most = random.between(1, consumer.most)
    while (ongoing.length < most) {
      const message = takeOne()
      if (!message) break
      if (message.deliveries > 1) world.count('redelivery')
      ongoing.push(put(message, consumer))
      if (random.chance(world.weather.twice)) {
        world.count('delivered twice')
        world.after(random.between(1, 2000), () => makeReady(message))
      }
    }
    consumer.free -= 1
    void consumer.handle(ongoing).then(() => {
      consumer.free += 1
      endIfStopped(world, consumer.process)
    })
  }

  function forgetDelivery(message: StreamMessage<Body>): void {
    world.count('forgotten delivery')
    message.deliveries -= 1
    message.isForgotten = true
    makeReady(message)
  }

  /** In the hands of a process, until it says something or is silent for too long. */
  function put(message: StreamMessage<Body>, { process, deadlineMs }: Consumer<Body>): Hand<Body> {
    const { body, deliveries } = message
    const controller = deadlineOf(world, process, deadlineMs)
    const held = {
      expire: () =>
        world.after(random.between(1, ackWaitMs), () => message.deliveries === deliveries && makeReady(message)),
      abort: () => controller().abort(stopped),
    }
    process.ongoing.add(held)
    world.note(process.name, `takes ${name} ${message.id} (${deliveries})`)

    const say = async (what: string, apply: () => void): Promise<void> => {
      try {
        await world.call(process, { service: 'broker', what: `${name}.${what}`, key: message.id }, apply)
      } catch {
        // nobody heard it: the silence tells the broker
        held.expire()
      }
      process.ongoing.delete(held)
    }
    return new MessageInHand({
      controller,
      id: message.id,
      work: body,
      deliveries: breaks.uncountedDeaths ? 1 : deliveries,
      mayBeForgotten: message.storedAtMs <= killedAtMs,
      ack: () =>
        say('ack', () => {
          if (message.isForgotten) return
          if (!random.chance(world.weather.lostAck)) return drop(message)
          world.count('lost ack')
          held.expire()
        }),
      giveBack: (error) =>
        say('nak', () => world.after(random.between(1, staysAwayMs(error, deliveries)), () => makeReady(message))),
    })
  }

  return {
    name,
    messages,
    publish,
    consume: (consumer) => consumers.add(consumer),
    dispatch() {
      while (ready.length > 0 && world.isUp('broker')) {
        for (const consumer of consumers) if (!consumer.process.isAlive) consumers.delete(consumer)
        const able = [...consumers].filter((one) => one.free > 0 && !one.isPaused?.() && isTaking(world, one.process))
        if (able.length === 0) return
        const next = isPinned ? pin.choose(able) : random.pick(able)
        if (!next) return
        deliver(next)
      }
    },
    restart(by) {
      const kept = new Set([...messages].filter(({ isNamed }) => isNamed).map(({ id }) => id))
      for (const id of storedAtMs.keys()) if (!kept.has(id)) storedAtMs.delete(id)
      if (by === 'order') return
      killedAtMs = world.nowMs()
      const sinceMs = killedAtMs - notedEveryMs
      for (const message of messages)
        if (!message.isReady && message.deliveries > 0 && message.deliveredAtMs >= sinceMs && random.chance(0.5))
          forgetDelivery(message)
    },
    lose: drop,
  }
}

/** At most: longer the more often it came, when something is away. */
function staysAwayMs(error: unknown, deliveries: number): number {
  return awayCodeOf(error) === undefined ? 2000 : Math.min(30_000, 2000 * 2 ** (deliveries - 1))
}

function isTaking(world: World, process: Process): boolean {
  return process.isAlive && !process.isStopping && process.pausedUntilMs <= world.nowMs()
}

export function endIfStopped(world: World, process: Process): void {
  if (!process.isStopping || process.ongoing.size > 0 || !process.isAlive) return
  world.note(process.name, 'has stopped')
  world.end(process)
  process.whenDead()
}

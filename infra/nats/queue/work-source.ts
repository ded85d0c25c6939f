import type { NatsConnection } from 'nats'

import { createTimers } from '../../timing/timers.ts'
import { storedSubject } from '../topology/queue-names.ts'
import type { ConsumerPlan } from '../topology/consumers.ts'
import { openConsumerSource } from './consumer-source.ts'
import type { ConsumerSourceOptions } from './consumer-source.ts'
import type { Delivery } from './delivery.ts'
import type { Forgotten } from './forgotten.ts'

/**
 * One consumer of work. It is asked only when it may have something: after the broker has called that something was stored, after
 * something was handed back, and now and then, since nobody calls for what a worker died with.
 */
export interface WorkSource {
  /** False when it was empty and nobody has called since. */
  mayHave(): boolean
  /** What is there now, at most `room`; `troubled` when nobody answered. */
  take(room: number): Promise<readonly Delivery[] | 'troubled'>
  /** It may have something that nobody called for. */
  suspect(): void
  close(): Promise<void>
}

export interface WorkSourceOptions extends Omit<ConsumerSourceOptions, 'plan'> {
  readonly connection: NatsConnection
  readonly forgotten: Forgotten
  /** It may have something. */
  readonly ring: () => void
}

/** On a cluster who leads the consumer may learn of a message a moment after the call for it. */
const recheckMs = 100
/** Who did not answer is left alone for so long, and others are asked. */
const troubledMs = 1_000

export function openWorkSource(plan: ConsumerPlan, options: WorkSourceOptions): WorkSource {
  const { connection, forgotten, ring } = options
  const calls = storedSubject(plan.config.filter_subject ?? '>')
  const timers = createTimers()
  let isSuspected = true
  let isCalled = false

  const suspect = (): void => {
    isSuspected = true
  }
  const wake = (): void => {
    suspect()
    ring()
  }
  /** Whoever has room may have it, also in another process. */
  const call = (): void => {
    if (!connection.isClosed() && !connection.isDraining()) connection.publish(calls.replace('>', 'again'))
  }
  const callingBack = (delivery: Delivery): Delivery => ({
    ...delivery,
    mayBeForgotten: forgotten.mayHave(plan.name, delivery),
    nak(delayMs = 0) {
      delivery.nak(delayMs)
      if (delayMs > 0) timers.after(delayMs, call)
      else call()
    },
  })
  const source = openConsumerSource({ ...options, plan, late: (delivery) => options.late(callingBack(delivery)) })
  const subscription = connection.subscribe(calls, {
    callback() {
      isCalled = true
      wake()
    },
  })
  return {
    mayHave: () => isSuspected,
    async take(room) {
      const wasCalled = isCalled
      // before it is asked: a call that comes meanwhile is for what it does not see
      isSuspected = false
      isCalled = false
      await forgotten.look()
      const pulled = await source.pull({ batch: room })
      if (typeof pulled === 'string') {
        timers.after(troubledMs, wake)
        return 'troubled'
      }
      if (pulled.length === room) suspect()
      else if (pulled.length === 0 && wasCalled) timers.after(recheckMs, wake)
      return pulled.map(callingBack)
    },
    suspect,
    async close() {
      timers.clear()
      subscription.unsubscribe()
      await source.close()
    },
  }
}

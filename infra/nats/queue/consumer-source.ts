import type { JetStreamManager } from '@nats-io/jetstream'
import type { NatsConnection } from 'nats'

import type { Log } from '../../../actors/ports.ts'
import type { ConsumerPlan } from '../topology/consumers.ts'
import { ensureConsumer } from '../topology/ensure.ts'
import type { Delivery } from './delivery.ts'
import { openSource } from './pull.ts'
import type { DeliverySource } from './pull.ts'

export interface ConsumerSourceOptions {
  readonly connection: NatsConnection
  readonly jsm: JetStreamManager
  readonly plan: ConsumerPlan
  readonly group?: string
  readonly late: (delivery: Delivery) => void
  readonly log: Log
}

/** Makes its consumer again when somebody deleted it: otherwise all work of a lane would wait for a restart. */
export function openConsumerSource(options: ConsumerSourceOptions): DeliverySource {
  const { connection, jsm, plan, log } = options
  const source = openSource(connection, { ...options, stream: plan.stream, consumer: plan.name })
  const facts = { stream: plan.stream, consumer: plan.name }
  let isTold = false

  const restore = async (): Promise<boolean> => {
    try {
      await ensureConsumer(jsm, plan)
      log.warn('a consumer did not answer; it is there now', facts)
      return true
    } catch (error) {
      // the broker is not ready either; the next pull comes here again
      if (!isTold) log.warn('a consumer does not answer', { ...facts, error })
      isTold = true
      return false
    }
  }
  return {
    ...source,
    async pull(request) {
      const pulled = await source.pull(request)
      if (pulled === 'unavailable') return (await restore()) ? source.pull(request) : pulled
      isTold = false
      return pulled
    },
    async receive(request) {
      const verdict = await source.receive(request)
      if (verdict === 'unavailable') await restore()
      else isTold = false
      return verdict
    },
  }
}

import type { Log } from '../../../actors/ports.ts'
import { lanePlans } from '../topology/consumers.ts'
import type { WorkStream } from '../topology/queue-names.ts'
import { openConsumerSource } from './consumer-source.ts'
import type { ConsumerSourceOptions } from './consumer-source.ts'
import type { Delivery } from './delivery.ts'
import type { DeliverySource } from './pull.ts'

/** The lanes of one stream, taken from in turns: one piece of work from each before a second from any. */
interface QueueLanes {
  /** From the next lanes that have something, at most `room` of them; nothing when all are empty or nobody answers. */
  take(room: number): Promise<TakenDeliveries>
  close(): void
}

interface TakenDeliveries {
  readonly deliveries: readonly Delivery[]
  /** Not all lanes answered. */
  readonly isTroubled: boolean
}

interface LanesOptions extends Omit<ConsumerSourceOptions, 'plan'> {
  readonly stream: WorkStream
  readonly ackWaitMs: number
  readonly log: Log
}

export function openLanes(options: LanesOptions): QueueLanes {
  const lanes = lanePlans(options.stream, options.ackWaitMs).map((plan) => openConsumerSource({ ...options, plan }))
  let next = 0

  const following = (count: number): DeliverySource[] => {
    const from = next
    next = (from + count) % lanes.length
    return Array.from({ length: count }, (_, step) => lanes[(from + step) % lanes.length]!)
  }
  return {
    async take(room) {
      for (let asked = 0; asked < lanes.length;) {
        const turn = following(Math.min(room, lanes.length - asked))
        const pulled = await Promise.all(turn.map((lane) => lane.pull({ batch: 1 })))
        const deliveries = pulled.flatMap((one) => (typeof one === 'string' ? [] : one))
        const isTroubled = pulled.some((one) => typeof one === 'string')
        if (deliveries.length > 0 || isTroubled) return { deliveries, isTroubled }
        asked += turn.length
      }
      return { deliveries: [], isTroubled: false }
    },
    close() {
      for (const lane of lanes) lane.close()
    },
  }
}

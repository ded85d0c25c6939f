import type { JetStreamManager } from '@nats-io/jetstream'
import type { NatsConnection } from 'nats'

import type { Log } from '../../../actors/ports.ts'
import { ask } from '../connection/ask.ts'
import type { Delivery } from './delivery.ts'

/**
 * A broker writes down what it gave out every tenth of a second. One that is killed gives what it forgot out again as if for the first time,
 * while who had it may have it still. Only what was stored before this process connected, or connected again, can be of that kind; and it
 * comes before all else that its consumer has.
 */
export interface Forgotten {
  /** To be asked before something is pulled: what is stored after that is in nobody's hands but ours. */
  look(): Promise<void>
  /** Whether another may have it of whom the broker knows nothing. */
  mayHave(consumer: string, delivery: Pick<Delivery, 'deliveries' | 'sequence'>): boolean
}

interface ForgottenOptions {
  readonly connection: NatsConnection
  readonly jsm: JetStreamManager
  readonly isAway?: () => boolean
  readonly stream: string
  readonly log: Log
}

/** More than all workers together are given by one consumer in a tenth of a second. */
const forgottenMax = 64

export function watchForgotten(options: ForgottenOptions): Forgotten {
  const { connection, jsm, isAway = () => false, stream, log } = options
  const taken = new Map<string, number>()
  let connections = 1
  let storedBefore: number | undefined

  void (async () => {
    for await (const { type } of connection.status()) {
      if (type !== 'disconnect' && type !== 'reconnect') continue
      connections += 1
      storedBefore = undefined
      taken.clear()
    }
  })()
  return {
    async look() {
      if (storedBefore !== undefined) return
      const asked = connections
      try {
        const { state } = await ask(isAway, () => jsm.streams.info(stream))
        if (asked === connections) storedBefore = state.last_seq
      } catch (error) {
        log.info('nobody tells what was stored before this process connected; all of it may be', { stream, error })
      }
    },
    mayHave(consumer, { deliveries, sequence }) {
      if (deliveries > 1 || sequence > (storedBefore ?? Infinity)) return false
      const count = (taken.get(consumer) ?? 0) + 1
      taken.set(consumer, count)
      return count <= forgottenMax
    },
  }
}

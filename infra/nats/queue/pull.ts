import { createInbox } from 'nats'
import type { Msg, NatsConnection } from 'nats'

import { settledWithin } from '../../timing/settled-within.ts'
import { answerWithinMs } from '../connection/ask.ts'
import { nanosPerMs } from '../connection/nanos.ts'
import { deliveryOf } from './delivery.ts'
import type { Delivery } from './delivery.ts'

/**
 * Pulls as the protocol has them: the client's own cannot ask for what is there now without waiting for more. One pull
 * at a time on each source.
 */
export interface DeliverySource {
  /** Without `expiresMs`, what is there now; with it, waits that long for the first. Never more than `batch`. */
  pull(request: { readonly batch: number; readonly expiresMs?: number }): Promise<Pulled>
  /** Waits no longer: the pull that is under way is `silent`. */
  giveUp(): void
  /** Ends a pull that is under way. Nothing is on its way to us any more when it resolves. */
  close(): Promise<void>
}

/** `unavailable`: the consumer is gone, or moves. `silent`: nobody answered. */
type Pulled = readonly Delivery[] | 'unavailable' | 'silent'

interface SourceOptions {
  readonly stream: string
  readonly consumer: string
  /** Where one of those who ask is given everything: the name under which they do. */
  readonly group?: string
  /** Answers to a pull that was given up: they are in our hands all the same. */
  readonly late: (delivery: Delivery) => void
}

interface Waiting {
  readonly inbox: string
  readonly batch: number
  readonly arrived: Delivery[]
  readonly end: (verdict?: 'unavailable' | 'silent') => void
}

const noMessages = 404
const expired = 408
/** Another has it now. */
const notOurs = 423
const pinHeader = 'Nats-Pin-Id'

export function openSource(connection: NatsConnection, options: SourceOptions): DeliverySource {
  const { stream, consumer, group, late } = options
  const inbox = createInbox()
  let pulls = 0
  let waiting: Waiting | undefined
  let pin: string | undefined

  const hear = (message: Msg): void => {
    // a message keeps the subject it was stored under; what the server itself says comes under the inbox
    if (!message.subject.startsWith(inbox)) {
      const delivery = deliveryOf(connection, message)
      pin = message.headers?.get(pinHeader) || pin
      if (!waiting) return late(delivery)
      waiting.arrived.push(delivery)
      if (waiting.arrived.length >= waiting.batch) waiting.end()
    } else if (message.subject === waiting?.inbox) {
      const code = message.headers?.code ?? 0
      if (code === notOurs) pin = undefined
      waiting.end([noMessages, expired, notOurs].includes(code) ? undefined : 'unavailable')
    }
  }
  const subscription = connection.subscribe(`${inbox}.*`, {
    callback(error, message) {
      if (!error) hear(message)
    },
  })
  return {
    pull: ({ batch, expiresMs }) =>
      new Promise((resolve) => {
        pulls += 1
        const deadline = setTimeout(() => waiting?.end('silent'), (expiresMs ?? 0) + answerWithinMs)
        const arrived: Delivery[] = []
        const end: Waiting['end'] = (verdict) => {
          clearTimeout(deadline)
          waiting = undefined
          resolve(arrived.length > 0 ? arrived : (verdict ?? []))
        }
        waiting = { inbox: `${inbox}.${pulls}`, batch, arrived, end }
        const patience = expiresMs === undefined ? { no_wait: true } : { expires: expiresMs * nanosPerMs }
        const request = { batch, ...patience, ...(group && { group, ...(pin && { id: pin }) }) }
        try {
          const reply = { reply: waiting.inbox }
          connection.publish(`$JS.API.CONSUMER.MSG.NEXT.${stream}.${consumer}`, JSON.stringify(request), reply)
        } catch {
          // the connection is closed
          end('silent')
        }
      }),
    giveUp: () => waiting?.end('silent'),
    async close() {
      await settledWithin([subscription.drain().catch(() => undefined)], answerWithinMs)
      waiting?.end()
      // another has it at once, instead of when nobody has asked for a while
      if (pin !== undefined && !connection.isClosed())
        connection.publish(`$JS.API.CONSUMER.UNPIN.${stream}.${consumer}`, JSON.stringify({ group }))
    },
  }
}

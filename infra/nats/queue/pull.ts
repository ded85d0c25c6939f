import type { Msg, NatsConnection } from 'nats'

import { settledWithin } from '../../timing/settled-within.ts'
import { answerWithinMs } from '../connection/ask.ts'
import { newInbox } from '../connection/inbox.ts'
import { nanosPerMs } from '../connection/nanos.ts'
import { deliveryOf } from './delivery.ts'
import type { Delivery } from './delivery.ts'

/**
 * Pulls as the protocol has them: the client's own cannot ask for what is there now without waiting for more. One pull
 * at a time on each source.
 */
export interface DeliverySource {
  /** What is there now, at most `batch`. */
  pull(request: { readonly batch: number }): Promise<Pulled>
  /** Each as it comes, for so long, until there were `batch`; resolves when no more come. */
  receive(request: ReceiveRequest): Promise<Verdict>
  /** Waits no longer: the pull that is under way is `silent`. */
  giveUp(): void
  /** Ends a pull that is under way. Nothing is on its way to us any more when it resolves. */
  close(): Promise<void>
}

/** `unavailable`: the consumer is gone, or moves. `silent`: nobody answered. */
type Verdict = 'over' | 'unavailable' | 'silent'
type Pulled = readonly Delivery[] | Exclude<Verdict, 'over'>

interface ReceiveRequest {
  readonly batch: number
  readonly expiresMs: number
  readonly each: (delivery: Delivery) => void
}

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
  readonly each: (delivery: Delivery) => void
  readonly end: (verdict: Verdict) => void
  left: number
}

const noMessages = 404
const expired = 408
/** Another has it now. */
const notOurs = 423
const harmless = new Set([noMessages, expired, notOurs])
const pinHeader = 'Nats-Pin-Id'

export function openSource(connection: NatsConnection, options: SourceOptions): DeliverySource {
  const { stream, consumer, group, late } = options
  const next = `$JS.API.CONSUMER.MSG.NEXT.${stream}.${consumer}`
  const inbox = newInbox(connection)
  let pulls = 0
  let waiting: Waiting | undefined
  let pin: string | undefined

  const hear = (message: Msg): void => {
    // a message keeps the subject it was stored under; what the server itself says comes under the inbox
    if (!message.subject.startsWith(inbox)) {
      const delivery = deliveryOf(connection, message)
      pin = message.headers?.get(pinHeader) || pin
      if (!waiting) return late(delivery)
      waiting.left -= 1
      waiting.each(delivery)
      if (waiting.left === 0) waiting.end('over')
    } else if (message.subject === waiting?.inbox) {
      const code = message.headers?.code ?? 0
      if (code === notOurs) pin = undefined
      waiting.end(harmless.has(code) ? 'over' : 'unavailable')
    }
  }
  const subscription = connection.subscribe(`${inbox}.*`, {
    callback: (error, message) => (error ? undefined : hear(message)),
  })
  const ask = ({ batch, expiresMs, each }: Omit<ReceiveRequest, 'expiresMs'> & { expiresMs?: number }) =>
    new Promise<Verdict>((resolve) => {
      pulls += 1
      const deadline = setTimeout(() => waiting?.end('silent'), (expiresMs ?? 0) + answerWithinMs)
      const end: Waiting['end'] = (verdict) => {
        clearTimeout(deadline)
        waiting = undefined
        resolve(verdict)
      }
      waiting = { inbox: `${inbox}.${pulls}`, each, end, left: batch }
      const request = { batch, ...patienceOf(expiresMs), ...(group && { group, ...(pin && { id: pin }) }) }
      try {
        connection.publish(next, JSON.stringify(request), { reply: waiting.inbox })
      } catch {
        // the connection is closed
        end('silent')
      }
    })
  return {
    async pull({ batch }) {
      const arrived: Delivery[] = []
      const verdict = await ask({ batch, each: (delivery) => void arrived.push(delivery) })
      return arrived.length > 0 || verdict === 'over' ? arrived : verdict
    },
    receive: ask,
    giveUp: () => waiting?.end('silent'),
    async close() {
      await settledWithin([subscription.drain().catch(() => undefined)], answerWithinMs)
      waiting?.end('over')
      if (pin !== undefined) letGo(connection, options)
    },
  }
}

/** Another has it at once, instead of when nobody has asked for a while. */
function letGo(connection: NatsConnection, { stream, consumer, group }: SourceOptions): void {
  if (connection.isClosed() || connection.isDraining()) return
  connection.publish(`$JS.API.CONSUMER.UNPIN.${stream}.${consumer}`, JSON.stringify({ group }))
}

/** Without a time, it asks for what is there now. */
function patienceOf(expiresMs: number | undefined): object {
  return expiresMs === undefined ? { no_wait: true } : { expires: expiresMs * nanosPerMs }
}

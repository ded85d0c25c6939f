import type { Msg, NatsConnection } from 'nats'

import { answerWithinMs } from '../connection/ask.ts'
import { nanosPerMs } from '../connection/nanos.ts'

/** A message in our hands. The client's own wrapper is not exported, and does not let a message be answered twice. */
export interface Delivery {
  /** 1 for the first time. */
  readonly deliveries: number
  /** See `Delivered`. */
  readonly mayBeForgotten?: boolean
  readonly stream: string
  /** Of the message in its stream. */
  readonly sequence: number
  readonly subject: string
  readonly text: string
  /** Undefined when it is not JSON. */
  readonly body: unknown
  /** What it came from, where its sender was followed. */
  readonly cause?: string
  /** Somebody is at it: the ack wait begins anew. */
  working(): void
  /** Rejects when nobody confirms it; then it may come again. */
  ack(): Promise<void>
  /** Hands it back, to be delivered again. */
  nak(delayMs?: number): void
  /** Takes it out of the queue, undone. */
  term(reason: string): void
}

export function deliveryOf(connection: NatsConnection, message: Msg): Delivery {
  const reply = message.reply ?? ''
  const say = (what: string): void => {
    // what cannot be said any more is learnt by its silence
    if (!connection.isClosed() && !connection.isDraining()) connection.publish(reply, what)
  }
  return {
    ...placeIn(reply),
    subject: message.subject,
    text: message.string(),
    body: bodyOf(message),
    ...causeIn(message),
    working: () => say('+WPI'),
    async ack() {
      await connection.request(reply, '+ACK', { timeout: answerWithinMs })
    },
    nak: (delayMs = 0) => say(delayMs > 0 ? `-NAK ${JSON.stringify({ delay: delayMs * nanosPerMs })}` : '-NAK'),
    term: (reason) => say(`+TERM ${reason}`),
  }
}

/** As the W3C has it, so that other tools understand it too. */
export const causeHeader = 'traceparent'

function causeIn(message: Msg): Pick<Delivery, 'cause'> {
  const cause = message.headers?.get(causeHeader) ?? ''
  return cause === '' ? {} : { cause }
}

function bodyOf(message: Msg): unknown {
  try {
    return message.json<unknown>()
  } catch {
    return undefined
  }
}

/** `$JS.ACK.<stream>.<consumer>.<deliveries>.<sequence>.…`, on newer servers with domain and account before the stream. */
function placeIn(reply: string): Pick<Delivery, 'stream' | 'deliveries' | 'sequence'> {
  const parts = reply.split('.')
  const at = parts.length === 9 ? 2 : 4
  return { stream: parts[at] ?? '', deliveries: Number(parts[at + 2]), sequence: Number(parts[at + 3]) }
}

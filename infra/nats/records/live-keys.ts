import { randomUUID } from 'node:crypto'

import { AckPolicy, DeliverPolicy } from '@nats-io/jetstream'
import type { Consumer, ConsumerConfig, JsMsg } from '@nats-io/jetstream'
import { nanos } from 'nats'

import { brokerAway } from '../connection/classify.ts'
import type { BucketName } from '../topology/topology.ts'
import type { RecordsClient } from './client.ts'

type Asked = <Result>(run: () => Promise<Result>) => Promise<Result>

const fetchMax = 1_000
/** What waits longer for its rest has met keys that went while they were listed. */
const fetchWithinMs = 2_000
/** When the process dies in between. */
const forgottenAfterMs = 30_000

/** The keys of a bucket that have a value. The listing that the client offers leaves its consumer behind for minutes. */
export async function liveKeys({ js, jsm }: RecordsClient, bucket: BucketName, asked: Asked): Promise<string[]> {
  const stream = `KV_${bucket}`
  const prefix = `$KV.${bucket}.`
  const made = await asked(() => jsm.consumers.add(stream, consumerOf(prefix)))
  try {
    if (made.num_pending === 0) return []
    const consumer = await asked(() => js.consumers.get(stream, made.name))
    const keys = new Map<string, boolean>()
    for (let left = made.num_pending; left > 0;) {
      // each fetch has its time, not all of them together: there may be a hundred thousand keys
      const messages = await asked(() => fetchSome(consumer, left))
      // either what is missing went meanwhile, or whoever held the consumer did
      if (messages.length === 0 && (await asked(() => consumer.info())).num_pending > 0) throw brokerAway()
      for (const message of messages) keys.set(message.subject.slice(prefix.length), !isMarker(message))
      left = messages.at(-1)?.info.pending ?? 0
    }
    return [...keys].flatMap(([key, alive]) => (alive ? [key] : []))
  } finally {
    // what cannot be removed now is forgotten soon
    await asked(() => jsm.consumers.delete(stream, made.name)).catch(() => undefined)
  }
}

function consumerOf(prefix: string): Partial<ConsumerConfig> {
  return {
    name: `keys-${randomUUID()}`,
    deliver_policy: DeliverPolicy.LastPerSubject,
    ack_policy: AckPolicy.None,
    filter_subject: `${prefix}>`,
    headers_only: true,
    inactive_threshold: nanos(forgottenAfterMs),
    mem_storage: true,
    num_replicas: 1,
  }
}

async function fetchSome(consumer: Consumer, left: number): Promise<JsMsg[]> {
  const messages: JsMsg[] = []
  const fetching = await consumer.fetch({ max_messages: Math.min(left, fetchMax), expires: fetchWithinMs })
  for await (const message of fetching) messages.push(message)
  return messages
}

/** Of a removal, or of an entry whose time was over. */
function isMarker({ headers }: JsMsg): boolean {
  return headers?.has('KV-Operation') === true || headers?.has('Nats-Marker-Reason') === true
}

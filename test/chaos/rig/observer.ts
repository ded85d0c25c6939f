import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import type { JetStreamClient, JetStreamManager, StoredMsg } from '@nats-io/jetstream'
import type { NatsConnection } from 'nats'

import { connectNats } from '../../../infra/nats/connection/connect.ts'
import { settledStream, workStreams } from '../../../infra/nats/topology/queue-names.ts'
import { eventually } from '../../support/eventually.ts'
import { silentLog } from '../../support/silent-log.ts'
import type { Broker } from './broker.ts'

/** The rig's own way to the broker, past every link: what the queues hold, and a hand in them. */
export interface Observer {
  readonly connection: NatsConnection
  readonly js: JetStreamClient
  readonly jsm: JetStreamManager
  /** How many messages each queue holds, and how many of them are in somebody's hands. */
  queues(): Promise<QueueState[]>
  /** How many keys a bucket has, without the marks of those that were removed. */
  keysOf(bucket: string): Promise<string[]>
  recordOf<Value>(bucket: string, key: string): Promise<Value | undefined>
  close(): Promise<void>
}

interface QueueState {
  readonly name: string
  readonly messages: number
  readonly handling: number
}

const answerWithinMs = 60_000

export const queueNames = [...Object.values(workStreams).map(({ name }) => name), settledStream.name]

export async function openObserver(broker: Broker): Promise<Observer> {
  const { url, user, pass } = broker
  const connection = await connectNats({ url, user, pass, name: 'chaos', log: silentLog, waitOnFirstConnect: true })
  const jsm = await jetstreamManager(connection)
  return {
    connection,
    jsm,
    js: jetstream(connection),
    queues: () => Promise.all(queueNames.map((name) => queueState(jsm, name))),
    keysOf: (bucket) => patiently(() => keysOf(jsm, bucket)),
    async recordOf<Value>(bucket: string, key: string) {
      const subject = { last_by_subj: `$KV.${bucket}.${key}` }
      const message = await patiently(() => jsm.streams.getMessage(`KV_${bucket}`, subject))
      return message && isThere(message) ? message.json<{ value: Value }>().value : undefined
    },
    close: () => connection.close(),
  }
}

/** A stream may have no leader just now. */
async function patiently<Result>(ask: () => Promise<Result>): Promise<Result> {
  return (await eventually('the broker answers', async () => ({ answer: await ask() }), answerWithinMs)).answer
}

async function queueState(jsm: JetStreamManager, name: string): Promise<QueueState> {
  const { state } = await jsm.streams.info(name)
  let handling = 0
  if (state.messages === 0) return { name, messages: 0, handling }
  for await (const consumer of jsm.consumers.list(name)) handling += consumer.num_ack_pending
  return { name, messages: state.messages, handling }
}

/** A removed key is a message without a body. */
async function keysOf(jsm: JetStreamManager, bucket: string): Promise<string[]> {
  const prefix = `$KV.${bucket}.`
  const { state } = await jsm.streams.info(`KV_${bucket}`, { subjects_filter: `${prefix}>` })
  const subjects = Object.keys(state.subjects ?? {})
  const found: string[] = []
  for (const subject of subjects) {
    const message = await jsm.streams.getMessage(`KV_${bucket}`, { last_by_subj: subject })
    if (message && isThere(message)) found.push(subject.slice(prefix.length))
  }
  return found
}

/** Rather than the mark of a removal, or a filler of `compact.ts` that a killed gateway left, which is marked as one. */
function isThere({ data, header }: StoredMsg): boolean {
  return data.length > 0 && header.get('KV-Operation') === ''
}

import { randomUUID } from 'node:crypto'

import type { JetStreamClient, JetStreamManager } from '@nats-io/jetstream'
import { Kvm } from '@nats-io/kv'
import type { KV, KvEntry } from '@nats-io/kv'

import { isRetryable } from '../../actors/failure.ts'
import type { Records, Revision, Stored } from '../../actors/ports.ts'
import { ask } from './ask.ts'
import { isConflict } from './classify.ts'
import { liveKeys } from './live-keys.ts'
import type { BucketName } from './topology.ts'

/** A record and the id of the write that stored it: how an unknown outcome is told apart from somebody else's write. */
interface Envelope<Value> {
  readonly op: string
  readonly value: Value
}

const attemptsMax = 2
/** The server answers at most 1024 subjects in one batched read. */
const batchReadMax = 512
const strongReadsAtOnce = 64
const markerTtl = '24h'

export interface RecordsClient {
  readonly js: JetStreamClient
  readonly jsm: JetStreamManager
  /** From `watchAway`; without it nobody is told early. */
  readonly isAway?: () => boolean
}

export async function openRecords<Value>(client: RecordsClient, bucket: BucketName): Promise<Records<Value>> {
  const asked = <Result>(run: () => Promise<Result>): Promise<Result> => ask(client.isAway ?? (() => false), run)
  // reads through the leader: decisions must not rest on a stale replica (reliability: T10)
  const kv = await new Kvm(client.js).open(bucket, { allow_direct: false })

  const readMany = async (keys: readonly string[]): Promise<Map<string, Value>> => {
    const batches = Array.from({ length: Math.ceil(keys.length / batchReadMax) }, (_, index) =>
      keys.slice(index * batchReadMax, (index + 1) * batchReadMax),
    )
    const found = await Promise.all(batches.map((batch) => asked(() => readBatch<Value>(client.jsm, bucket, batch))))
    return new Map(found.flat())
  }
  return {
    async create(key, value) {
      return (await write({ kv, asked }, { key, value, revision: undefined })) ?? 'exists'
    },
    async read(key) {
      return asked(async () => stored<Value>(await kv.get(key)))
    },
    readMany,
    async replace(key, value, revision) {
      return (await write({ kv, asked }, { key, value, revision })) ?? 'conflict'
    },
    async remove(key) {
      await asked(() => kv.purge(key, { ttl: markerTtl }))
    },
    async readUnder(prefix) {
      // one by one through the leader: a batched read may come from a replica that is behind
      const keys = await asked(() => keysUnder(client.jsm, bucket, prefix))
      const found = new Map<string, Value>()
      for (let from = 0; from < keys.length; from += strongReadsAtOnce) {
        const group = keys.slice(from, from + strongReadsAtOnce)
        const entries = await Promise.all(group.map((key) => asked(async () => stored<Value>(await kv.get(key)))))
        for (const [at, entry] of entries.entries()) if (entry) found.set(group[at]!, entry.value)
      }
      return found
    },
    keys: () => liveKeys(client, bucket, asked),
  }
}

interface Asking {
  readonly kv: KV
  readonly asked: <Result>(run: () => Promise<Result>) => Promise<Result>
}

interface Write {
  readonly key: string
  readonly value: unknown
  /** What is there now; undefined when nothing may be there. */
  readonly revision: Revision | undefined
}

/**
 * Resolves with the new revision, or with nothing when somebody else's write is there; a removed record counts as one for
 * as long as its marker stays, so that what was deleted is not made again by a late repetition (I12). A timed-out write is unknown, not
 * failed: it is read back and compared by its operation id before it is judged.
 */
async function write({ kv, asked }: Asking, wanted: Write): Promise<Revision | undefined> {
  const op = randomUUID()
  const body = JSON.stringify({ op, value: wanted.value })
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await asked(() =>
        wanted.revision === undefined
          ? kv.put(wanted.key, body, { previousSeq: 0 })
          : kv.update(wanted.key, body, wanted.revision),
      )
    } catch (error) {
      if (isConflict(error) && attempt === 1) return undefined
      if (!isConflict(error) && !isRetryable(error)) throw error
      const entry = await asked(() => kv.get(wanted.key))
      if (entry?.operation === 'PUT' && entry.json<Envelope<unknown>>().op === op) return entry.revision
      // also when a marker of removal is there: it has a revision of its own
      if (entry?.revision !== wanted.revision) return undefined
      if (attempt >= attemptsMax) throw error
    }
  }
}

/** Also of those that were removed, while their markers stay. */
async function keysUnder(jsm: JetStreamManager, bucket: BucketName, prefix: string): Promise<string[]> {
  const { state } = await jsm.streams.info(`KV_${bucket}`, { subjects_filter: `$KV.${bucket}.${prefix}.*` })
  return Object.keys(state.subjects ?? {}).map((subject) => subject.slice(`$KV.${bucket}.`.length))
}

/** With a callback: the iterator that the client offers instead keeps its subscription for as long as the connection. */
function readBatch<Value>(
  jsm: JetStreamManager,
  bucket: BucketName,
  keys: readonly string[],
): Promise<(readonly [string, Value])[]> {
  const prefix = `$KV.${bucket}.`
  return new Promise((resolve, reject) => {
    const found: (readonly [string, Value])[] = []
    const reading = jsm.direct.getLastMessagesFor(`KV_${bucket}`, {
      multi_last: keys.map((key) => prefix + key),
      callback(done, message) {
        if (done) return done.err ? reject(done.err) : resolve(found)
        // removal markers have no body
        if (message.data.length > 0)
          found.push([message.subject.slice(prefix.length), message.json<Envelope<Value>>().value])
      },
    })
    reading.catch(reject)
  })
}

function stored<Value>(entry: KvEntry | null): Stored<Value> | undefined {
  if (entry?.operation !== 'PUT') return undefined
  const { value } = entry.json<Envelope<Value>>()
  return { value, revision: entry.revision, storedAtMs: entry.created.getTime() }
}

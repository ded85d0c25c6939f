import { randomUUID } from 'node:crypto'

import type { JetStreamClient, JetStreamManager } from '@nats-io/jetstream'
import { Kvm } from '@nats-io/kv'
import type { KV, KvEntry } from '@nats-io/kv'

import type { Records, Revision, Stored } from '../../actors/ports.ts'
import { classify, isBrokerTrouble, isConflict } from './classify.ts'
import type { BucketName } from './topology.ts'

/** A record and the id of the write that stored it: how an unknown outcome is told apart from somebody else's write. */
interface Envelope<Value> {
  readonly op: string
  readonly value: Value
}

const attemptsMax = 3
/** The server answers at most 1024 subjects in one batched read. */
const batchReadMax = 512
const markerTtl = '24h'

export async function openRecords<Value>(
  client: { js: JetStreamClient; jsm: JetStreamManager },
  bucket: BucketName,
): Promise<Records<Value>> {
  // reads through the leader: decisions must not rest on a stale replica (reliability: T10)
  const kv = await new Kvm(client.js).open(bucket, { allow_direct: false })

  return {
    async create(key, value) {
      return (await write(kv, { key, value, revision: undefined })) ?? 'exists'
    },
    async read(key) {
      return classified(async () => stored<Value>(await kv.get(key)))
    },
    async readMany(keys) {
      const batches = Array.from({ length: Math.ceil(keys.length / batchReadMax) }, (_, index) =>
        keys.slice(index * batchReadMax, (index + 1) * batchReadMax),
      )
      const found = await Promise.all(batches.map((batch) => readBatch<Value>(client.jsm, bucket, batch)))
      return new Map(found.flat())
    },
    async replace(key, value, revision) {
      return (await write(kv, { key, value, revision })) ?? 'conflict'
    },
    async remove(key) {
      await classified(() => kv.purge(key, { ttl: markerTtl }))
    },
    async keys() {
      return classified(async () => {
        const keys: string[] = []
        for await (const key of await kv.keys()) keys.push(key)
        return keys
      })
    },
  }
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
async function write(kv: KV, wanted: Write): Promise<Revision | undefined> {
  const op = randomUUID()
  const body = JSON.stringify({ op, value: wanted.value })
  for (let attempt = 1; ; attempt += 1) {
    try {
      return wanted.revision === undefined
        ? await kv.put(wanted.key, body, { previousSeq: 0 })
        : await kv.update(wanted.key, body, wanted.revision)
    } catch (error) {
      if (isConflict(error) && attempt === 1) return undefined
      if (!isConflict(error) && !isBrokerTrouble(error)) throw error
      const entry = await classified(() => kv.get(wanted.key))
      if (entry?.operation === 'PUT' && entry.json<Envelope<unknown>>().op === op) return entry.revision
      // also when a marker of removal is there: it has a revision of its own
      if (entry?.revision !== wanted.revision) return undefined
      if (attempt >= attemptsMax) throw classify(error)
    }
  }
}

async function readBatch<Value>(
  jsm: JetStreamManager,
  bucket: BucketName,
  keys: readonly string[],
): Promise<(readonly [string, Value])[]> {
  if (keys.length === 0) return []
  const prefix = `$KV.${bucket}.`
  return classified(async () => {
    const messages = await jsm.direct.getLastMessagesFor(`KV_${bucket}`, {
      multi_last: keys.map((key) => prefix + key),
    })
    const found: (readonly [string, Value])[] = []
    for await (const message of messages) {
      // removal markers have no body
      if (message.data.length === 0) continue
      found.push([message.subject.slice(prefix.length), message.json<Envelope<Value>>().value])
    }
    return found
  })
}

function stored<Value>(entry: KvEntry | null): Stored<Value> | undefined {
  if (entry?.operation !== 'PUT') return undefined
  const { value } = entry.json<Envelope<Value>>()
  return { value, revision: entry.revision, storedAtMs: entry.created.getTime() }
}

async function classified<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run()
  } catch (error) {
    throw classify(error)
  }
}

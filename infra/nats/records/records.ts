import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'

import type { JetStreamManager } from '@nats-io/jetstream'
import { Kvm } from '@nats-io/kv'
import type { KV } from '@nats-io/kv'

import { isRetryable, terminal } from '../../../actors/failure.ts'
import { firstForm } from '../../../actors/form.ts'
import type { Records, Revision } from '../../../actors/ports.ts'
import { systemClock } from '../../timing/clock.ts'
import { ask } from '../connection/ask.ts'
import { openBrokerClock } from '../connection/broker-clock.ts'
import { brokerAway, isConflict } from '../connection/classify.ts'
import { recordMaxBytes } from '../topology/topology.ts'
import type { BucketName } from '../topology/topology.ts'
import type { RecordsClient } from './client.ts'
import { compactBucket } from './compact.ts'
import { liveKeys } from './live-keys.ts'
import { readInOrder } from './read-in-order.ts'
import { readFromLeader, readMany, readManyUnder, stored } from './read-many.ts'
import type { Envelope } from './read-many.ts'

const attemptsMax = 2
const markerTtl = '24h'
const backOffMaxMs = 200

/** `formOf`: who must know how to read a value, where that depends on it. */
export async function openRecords<Value>(
  client: RecordsClient,
  bucket: BucketName,
  formOf: (value: Value) => number = () => firstForm,
): Promise<Records<Value>> {
  const asked = <Result>(run: () => Promise<Result>): Promise<Result> => ask(client.isAway ?? (() => false), run)
  const storing = <Result>(run: () => Promise<Result>): Promise<Result> =>
    client.writes ? client.writes.watch(`KV_${bucket}`, () => asked(run)) : asked(run)
  // reads through the leader: decisions must not rest on a stale replica (T10)
  const kv = await new Kvm(client.js).open(bucket, { allow_direct: false })
  const isReplicated = knowsReplication(client.jsm, bucket)
  const brokerTime = brokerTimeOf(client, bucket)
  const reading = { ...client, kv, bucket, asked, isReplicated, known: { write: 0 } }
  // a copy that is behind would not know of all that is to be deleted
  const readUnder = (prefix: string) => readFromLeader<Value>(reading, () => keysUnder(client.jsm, bucket, prefix))
  return {
    async create(key, value) {
      return (await write({ kv, asked, storing }, { key, value, form: formOf(value), revision: undefined })) ?? 'exists'
    },
    async read(key) {
      return asked(async () => stored<Value>(await kv.get(key)))
    },
    readMany: (keys) => readMany(reading, keys),
    async replace(key, value, revision) {
      const written = await write({ kv, asked, storing }, { key, value, form: formOf(value), revision })
      if (written === undefined) client.conflicted?.(bucket)
      return written ?? 'conflict'
    },
    async remove(key, revision) {
      try {
        await storing(() => kv.purge(key, { ttl: markerTtl, ...(revision !== undefined && { previousSeq: revision }) }))
      } catch (error) {
        if (revision === undefined || !isConflict(error)) throw error
      }
    },
    async erase(key, revision) {
      const filter = `$KV.${bucket}.${key}`
      // up to the one before `seq`
      const what = revision === undefined ? { filter } : { filter, seq: revision + 1 }
      await asked(() => client.jsm.streams.purge(`KV_${bucket}`, what))
    },
    compact: () => compactBucket(client, { bucket, asked }),
    backOff: (conflicts) => pause(Math.random() * Math.min(backOffMaxMs, 2 ** conflicts)),
    readUnder,
    readManyUnder: (prefixes) => readManyUnder(reading, prefixes, readUnder),
    keys: () => liveKeys(client, bucket, asked),
    inOrder: (after, most) => readInOrder(client, { bucket, after, most, asked }),
    ageMs: async ({ storedAtMs }) => (await brokerTime()) - storedAtMs,
  }
}

/** Whoever leads the bucket stamps its records. Few ask for their age, so the first who does pays for opening it. */
function brokerTimeOf({ jsm, isAway = () => false }: RecordsClient, bucket: BucketName): () => Promise<number> {
  let opening: ReturnType<typeof openBrokerClock> | undefined
  return async () => {
    opening ??= openBrokerClock({ jsm, isAway, stream: `KV_${bucket}`, clock: systemClock }).catch((error: unknown) => {
      opening = undefined
      throw error
    })
    return (await opening)()
  }
}

/** Asked once: `ensureTopology` refuses to run when it has changed. */
function knowsReplication(jsm: JetStreamManager, bucket: BucketName): () => Promise<boolean> {
  let copies: number | undefined
  return async () => (copies ??= (await jsm.streams.info(`KV_${bucket}`)).config.num_replicas) > 1
}

interface Asking {
  readonly kv: KV
  readonly asked: <Result>(run: () => Promise<Result>) => Promise<Result>
  /** The same, for what changes something. */
  readonly storing: <Result>(run: () => Promise<Result>) => Promise<Result>
}

interface Write {
  readonly key: string
  readonly value: unknown
  readonly form: number
  /** What is there now; undefined when nothing may be there. */
  readonly revision: Revision | undefined
}

/**
 * Resolves with the new revision, or with nothing when somebody else's write is there; a removed record counts as one for
 * as long as its marker stays, so that what was deleted is not made again by a late repetition (I12). A timed-out write is unknown, not
 * failed: it is read back and compared by its operation id before it is judged.
 */
async function write({ kv, asked, storing }: Asking, wanted: Write): Promise<Revision | undefined> {
  const op = randomUUID()
  const body = bodyOf({ op, v: wanted.form, value: wanted.value })
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await storing(() =>
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
      // one node says that something is there and another that nothing is: nobody leads just now
      if (attempt >= attemptsMax) throw isConflict(error) ? brokerAway(error) : error
    }
  }
}

/** Measured before it is sent, so that who writes learns that it never fits, and not that it may be tried again. */
function bodyOf(envelope: Envelope<unknown>): Uint8Array {
  const body = Buffer.from(JSON.stringify(envelope))
  if (body.length <= recordMaxBytes) return body
  const message = `This would make a record of ${body.length} bytes, and ${recordMaxBytes} is the most that one may have. Submit less at once.`
  throw terminal('too_large', message)
}

/** Also of those that were removed, while their markers stay. */
async function keysUnder(jsm: JetStreamManager, bucket: BucketName, prefix: string): Promise<string[]> {
  const { state } = await jsm.streams.info(`KV_${bucket}`, { subjects_filter: `$KV.${bucket}.${prefix}.*` })
  return Object.keys(state.subjects ?? {}).map((subject) => subject.slice(`$KV.${bucket}.`.length))
}

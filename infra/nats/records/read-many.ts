import type { JetStreamManager } from '@nats-io/jetstream'
import type { KV, KvEntry } from '@nats-io/kv'
import { errors } from 'nats'
import type { Msg, NatsConnection } from 'nats'

import { isRetryable } from '../../../actors/failure.ts'
import type { Stored } from '../../../actors/ports.ts'
import { answerWithinMs } from '../connection/ask.ts'
import { isOfNewerForm, newerForm } from '../connection/form.ts'
import { newInbox } from '../connection/inbox.ts'
import { leaderInfo } from '../topology/leader-info.ts'
import type { BrokerRole } from '../topology/roles.ts'
import type { BucketName } from '../topology/topology.ts'

/** A record and the id of the write that stored it: how an unknown outcome is told apart from somebody else's write. */
export interface Envelope<Value> {
  readonly op: string
  /** Of its form. */
  readonly v?: number
  readonly value: Value
}

interface RecordReading {
  readonly connection: NatsConnection
  readonly jsm: JetStreamManager
  readonly kv: KV
  readonly bucket: BucketName
  readonly role?: BrokerRole
  /** With one copy there is nobody who could be behind. */
  readonly isReplicated: () => Promise<boolean>
  readonly asked: <Result>(run: () => Promise<Result>) => Promise<Result>
  /** The last write of the bucket that this process knows of. */
  readonly known: { write: number }
}

type Found<Value> = (readonly [key: string, value: Value])[]

/** The server answers at most 1024 subjects in one batched read. */
const batchReadMax = 512
const leaderReadsAtOnce = 64
const status = { endOfBatch: 204, none: 404, tooMany: 413, noResponders: 503 } as const
/** With some records under each, they are fewer than one batched read may find. */
const prefixesAtOnce = 64

/** Those that are there now, batch by batch; a worker is not allowed to ask for batches, and reads one by one. */
export async function readMany<Value>(reading: RecordReading, keys: readonly string[]): Promise<Map<string, Value>> {
  if (reading.role === 'worker') return readFromLeader(reading, async () => keys)
  const batches = Array.from({ length: Math.ceil(keys.length / batchReadMax) }, (_, index) =>
    keys.slice(index * batchReadMax, (index + 1) * batchReadMax),
  )
  const found = await Promise.all(batches.map((batch) => readBatch<Value>(reading, batch)))
  return new Map(found.flat())
}

/** Records under each of these, batch by batch; where there are too many for one, one prefix after the other by `readUnder`. */
export async function readManyUnder<Value>(
  reading: RecordReading,
  prefixes: readonly string[],
  readUnder: (prefix: string) => Promise<Map<string, Value>>,
): Promise<Map<string, Value>> {
  const oneByOne = async (some: readonly string[]): Promise<Found<Value>> => {
    const found: Found<Value> = []
    for (const prefix of some) found.push(...(await readUnder(prefix)))
    return found
  }
  if (reading.role === 'worker') return new Map(await oneByOne(prefixes))
  const batches = Array.from({ length: Math.ceil(prefixes.length / prefixesAtOnce) }, (_, index) =>
    prefixes.slice(index * prefixesAtOnce, (index + 1) * prefixesAtOnce),
  )
  const found = await Promise.all(
    batches.map(async (batch) => {
      const wildcards = batch.map((prefix) => `${prefix}.*`)
      return (await readCurrent<Value>(reading, wildcards)) ?? oneByOne(batch)
    }),
  )
  return new Map(found.flat())
}

/**
 * Any copy may answer a batched read, also one that is behind; it tells how far it is. That is held against how far the leader is,
 * asked at the same time, and who is behind is not believed.
 */
async function readCurrent<Value>(reading: RecordReading, keys: readonly string[]): Promise<Found<Value> | undefined> {
  const { asked, isReplicated } = reading
  const fromAnyCopy = () => asked(() => askAnyCopy<Value>(reading, keys))
  const [answer, newest] = (await asked(isReplicated))
    ? await Promise.all([fromAnyCopy().catch(unanswered<Value>), newestIn(reading)])
    : [await fromAnyCopy(), 0]
  return answer.upTo >= newest ? answer.found : undefined
}

async function readBatch<Value>(reading: RecordReading, keys: readonly string[]): Promise<Found<Value>> {
  return (await readCurrent<Value>(reading, keys)) ?? [...(await readOneByOne<Value>(reading, keys))]
}

/** A copy that is away is not the end: there is the leader. */
function unanswered<Value>(error: unknown): CopyAnswer<Value> {
  if (!isRetryable(error)) throw error
  return { found: [], upTo: -1 }
}

/** Without any copy, for what nobody may miss. */
export async function readFromLeader<Value>(
  reading: RecordReading,
  listed: () => Promise<readonly string[]>,
): Promise<Map<string, Value>> {
  if (await reading.asked(reading.isReplicated)) await newestIn(reading)
  return readOneByOne(reading, await reading.asked(listed))
}

async function readOneByOne<Value>({ kv, asked }: RecordReading, keys: readonly string[]): Promise<Map<string, Value>> {
  const found = new Map<string, Value>()
  for (let from = 0; from < keys.length; from += leaderReadsAtOnce) {
    const group = keys.slice(from, from + leaderReadsAtOnce)
    const entries = await Promise.all(group.map((key) => asked(async () => stored<Value>(await kv.get(key)))))
    for (const [at, entry] of entries.entries()) if (entry) found.set(group[at]!, entry.value)
  }
  return found
}

export function stored<Value>(entry: KvEntry | null): Stored<Value> | undefined {
  if (entry?.operation !== 'PUT') return undefined
  return {
    value: valueIn(entry.json<Envelope<Value>>()),
    revision: entry.revision,
    storedAtMs: entry.created.getTime(),
  }
}

export function valueIn<Value>(envelope: Envelope<Value>): Value {
  if (isOfNewerForm(envelope)) throw newerForm()
  return envelope.value
}

/** Up to where whoever leads the bucket is, which only they answer. */
async function newestIn({ jsm, bucket, asked, known }: RecordReading): Promise<number> {
  const look = () => asked(() => jsm.streams.info(`KV_${bucket}`))
  const info = await leaderInfo(look, ({ state }) => state.last_seq >= known.write)
  known.write = info.state.last_seq
  return known.write
}

interface CopyAnswer<Value> {
  readonly found: Found<Value>
  /** Every write up to this one was known to who answered; -1 when the answer is not whole. */
  readonly upTo: number
}

/** By hand: the client keeps to itself how far whoever answered was, and takes half an answer for a whole one. */
function askAnyCopy<Value>({ connection, bucket }: RecordReading, keys: readonly string[]): Promise<CopyAnswer<Value>> {
  const prefix = `$KV.${bucket}.`
  const inbox = newInbox(connection)
  return new Promise((resolve, reject) => {
    const found: Found<Value> = []
    const end = (settle: () => void): void => {
      clearTimeout(deadline)
      subscription.unsubscribe()
      settle()
    }
    const callback = (error: Error | null, message: Msg): void => {
      if (error) return end(() => reject(error))
      const code = message.headers?.code ?? 0
      if (code === status.noResponders) return end(() => reject(new errors.NoRespondersError(message.subject)))
      if (code === status.endOfBatch || code === status.none)
        return end(() => resolve({ found, upTo: upToOf(message, found.length) }))
      if (code === status.tooMany) return end(() => resolve({ found: [], upTo: -1 }))
      if (code >= 400) return end(() => reject(new Error(`a batched read was answered ${code}`)))
      // removal markers have no body
      if (message.data.length === 0) return
      const envelope = message.json<Envelope<Value>>()
      if (isOfNewerForm(envelope)) return end(() => reject(newerForm()))
      found.push([message.headers!.last('Nats-Subject').slice(prefix.length), envelope.value])
    }
    // refused by a connection that is closed: then nothing may be left that ends it later
    const subscription = connection.subscribe(inbox, { callback })
    const deadline = setTimeout(() => end(() => reject(new errors.TimeoutError())), answerWithinMs)
    const wanted = JSON.stringify({ multi_last: keys.map((key) => prefix + key) })
    connection.publish(`$JS.API.DIRECT.GET.KV_${bucket}`, wanted, { reply: inbox })
  })
}

/** Who has none of the keys does not say how far they are. */
function upToOf({ headers }: Msg, found: number): number {
  if (headers?.code === status.none) return found === 0 ? 0 : -1
  return headers?.get('Nats-Num-Pending') === '0' ? Number(headers.get('Nats-UpTo-Sequence')) : -1
}

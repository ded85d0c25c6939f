import { JetStreamApiError, jetstream, jetstreamManager } from '@nats-io/jetstream'
import test from 'ava'
import type { ExecutionContext } from 'ava'
import { errors } from 'nats'

import { sentenceOf } from '../../actors/failure.ts'
import type { Records } from '../../actors/ports.ts'
import { connectNats } from '../../infra/nats/connection/connect.ts'
import { openRecords } from '../../infra/nats/records/records.ts'
import { recordMaxBytes, topology } from '../../infra/nats/topology/topology.ts'
import type { BucketName } from '../../infra/nats/topology/topology.ts'
import { eventually } from '../support/eventually.ts'
import { aLossyProxy } from '../support/lossy-proxy.ts'
import type { LossyProxy } from '../support/lossy-proxy.ts'
import { aNatsServer, startTestNats } from '../support/nats.ts'
import type { TestNats } from '../support/nats.ts'
import { silentLog } from '../support/silent-log.ts'
import { failureOf } from '../support/tokens.ts'
import { recordsContract } from './records.ts'
import type { NoteRecord } from './records.ts'

let nats: TestNats
let made = 0
test.before(async () => {
  nats = await startTestNats()
})
test.after.always(() => nats.stop())

interface Bucket {
  readonly records: Records<NoteRecord>
  /** Every write that the broker ever took counts here, also one that was overwritten. */
  readonly writes: () => Promise<number>
  /** What it keeps now, with markers. */
  readonly messages: () => Promise<number>
  /** Resolves when a write has not been answered in time. */
  readonly firstTimeout: Promise<void>
}

interface Through {
  /** Where the records' own connection goes; the server itself unless told. */
  readonly port?: number
  readonly timeoutMs?: number
  /** What becomes of the first writes, in their order, none of which reaches the broker. */
  readonly firstWrites?: readonly Error[]
}

/** A bucket of a test's own, as the topology makes them. */
async function aBucket(t: ExecutionContext, server: TestNats, through: Through = {}): Promise<Bucket> {
  made += 1
  // as: the topology's buckets are few and named; a test's has the same settings and a name of its own
  const name = `test_${made}` as BucketName
  const [plan] = topology({ replicas: 1, idempotencyHours: 1, ackWaitMs: 30_000 }).streams
  const manager = await jetstreamManager(await server.connect('manager'))
  await manager.streams.add({ ...plan!, name: `KV_${name}`, subjects: [`$KV.${name}.>`] })

  const { user, pass } = server
  const url = `nats://127.0.0.1:${through.port ?? server.port}`
  const connection = await connectNats({ url, user, pass, name: 'records', log: silentLog, waitOnFirstConnect: true })
  t.teardown(() => connection.close())
  const js = jetstream(connection, { timeout: through.timeoutMs ?? 5_000 })
  const publish = js.publish.bind(js)
  const firstWrites = [...(through.firstWrites ?? [])]
  const firstTimeout = new Promise<void>((resolve) => {
    js.publish = async (...message) => {
      const failed = firstWrites.shift()
      if (failed) throw failed
      try {
        return await publish(...message)
      } catch (error) {
        if (error instanceof errors.TimeoutError) resolve()
        throw error
      }
    }
  })
  return {
    firstTimeout,
    records: await openRecords<NoteRecord>({ connection, js, jsm: await js.jetstreamManager() }, name),
    writes: async () => (await manager.streams.info(`KV_${name}`)).state.last_seq,
    messages: async () => (await manager.streams.info(`KV_${name}`)).state.messages,
  }
}

recordsContract(test, async (t) => (await aBucket(t, nats)).records)

test('what was erased leaves no message behind, and what was removed leaves its marker', async (t) => {
  const { records, messages } = await aBucket(t, nats)
  await records.create('erased', { text: 'first' })
  await records.create('removed', { text: 'first' })
  await records.erase('erased')
  t.is(await messages(), 1)
  await records.remove('removed')
  t.is(await messages(), 1)
})

test('a record that is larger than any may be is refused in a sentence before it is sent', async (t) => {
  const { records, writes } = await aBucket(t, nats)
  const fits = { text: 'x'.repeat(recordMaxBytes - 100) }
  const revision = Number(await records.create('one', fits))
  for (const outcome of [
    records.create('two', { text: 'x'.repeat(recordMaxBytes) }),
    records.replace('one', { text: 'क'.repeat(recordMaxBytes / 2) }, revision),
  ]) {
    const failure = await failureOf(t, outcome)
    t.like(failure, { kind: 'terminal', code: 'too_large' })
    t.regex(sentenceOf(failure), /a record of \d+ bytes, and \d+ is the most/)
  }
  t.is(await writes(), 1)
})

async function aLossyBucket(t: ExecutionContext): Promise<Bucket & { proxy: LossyProxy }> {
  const proxy = await aLossyProxy(t, nats.port)
  return { ...(await aBucket(t, nats, { port: proxy.port, timeoutMs: 5_000 })), proxy }
}

test('a record whose creation was stored and whose answer was lost is recognised as ours', async (t) => {
  const { records, writes, proxy } = await aLossyBucket(t)
  proxy.loseNextAnswer()
  const revision = await records.create('one', { text: 'first' })
  t.is((await records.read('one'))?.revision, Number(revision))
  t.is(await writes(), 1)
})

test('a replacement that was stored and whose answer was lost is recognised as ours', async (t) => {
  const { records, writes, proxy } = await aLossyBucket(t)
  const first = Number(await records.create('one', { text: 'first' }))
  proxy.loseNextAnswer()
  const second = await records.replace('one', { text: 'second' }, first)
  t.like(await records.read('one'), { value: { text: 'second' }, revision: Number(second) })
  t.is(await writes(), 2)
})

test('a write that never reached the broker is sent again, and stored once', async (t) => {
  const { records, writes, proxy } = await aLossyBucket(t)
  proxy.loseNextQuestion()
  const revision = await records.create('one', { text: 'first' })
  t.is(typeof revision, 'number')
  t.is(await writes(), 1)
})

test('a creation that was refused and whose answer was lost is still refused', async (t) => {
  const { records, writes, proxy } = await aLossyBucket(t)
  await records.create('one', { text: 'first' })
  proxy.loseNextAnswer()
  t.is(await records.create('one', { text: 'second' }), 'exists')
  t.is((await records.read('one'))?.value.text, 'first')
  t.is(await writes(), 1)
})

test('a removed record is not brought back when the refusal of its creation was lost', async (t) => {
  const { records, proxy } = await aLossyBucket(t)
  await records.create('one', { text: 'first' })
  await records.remove('one')
  proxy.loseNextAnswer()
  t.is(await records.create('one', { text: 'late' }), 'exists')
  t.is(await records.read('one'), undefined)
})

test('a replacement that lost a race and its answer is told of the conflict', async (t) => {
  const { records, proxy } = await aLossyBucket(t)
  const first = Number(await records.create('one', { text: 'first' }))
  await records.replace('one', { text: 'second' }, first)
  proxy.loseNextAnswer()
  t.is(await records.replace('one', { text: 'third' }, first), 'conflict')
})

test('while the broker stands still a write and a reading fail as something to try again', async (t) => {
  const server = await aNatsServer(t)
  const { records } = await aBucket(t, server, { timeoutMs: 3_000 })
  await server.pause()
  const outcomes = [records.create('one', { text: 'first' }), records.read('one'), records.readMany(['one'])]
  for (const outcome of outcomes) {
    const failure = await failureOf(t, outcome)
    t.like(failure, { kind: 'away', code: 'broker_unavailable' })
  }
})

test('a write that the broker takes while it is being read back is recognised as ours, and not doubled', async (t) => {
  const server = await aNatsServer(t)
  const { records, writes, firstTimeout } = await aBucket(t, server, { timeoutMs: 4_000 })
  await server.pause()
  const creation = records.create('one', { text: 'first' })
  await firstTimeout
  server.resume()
  t.is(typeof (await creation), 'number')
  t.is(await writes(), 1)
})

// chaos, cluster: an upload was answered 500 while a leader was elected
test('nodes that contradict each other about a write are told as a broker that is away', async (t) => {
  const conflict = new JetStreamApiError({ code: 400, err_code: 10_071, description: 'wrong last sequence: 7' })
  const { records, writes } = await aBucket(t, nats, { firstWrites: [new errors.TimeoutError(), conflict] })
  t.like(await failureOf(t, records.create('one', { text: 'first' })), {
    kind: 'away',
    code: 'broker_unavailable',
  })
  t.is(await writes(), 0)
  t.is(typeof (await records.create('one', { text: 'first' })), 'number')
})

test('what a broker took survives its being killed', async (t) => {
  const server = await aNatsServer(t)
  const { records } = await aBucket(t, server)
  const revision = Number(await records.create('one', { text: 'first' }))
  await server.restart()
  const stored = await eventually('the broker is back', () => records.read('one'))
  t.like(stored, { value: { text: 'first' }, revision })
})

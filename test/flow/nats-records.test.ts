import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import test from 'ava'

import { newestForm } from '../../actors/form.ts'
import { isBrokerAway } from '../../actors/failure.ts'
import { openRecords } from '../../infra/nats/records/records.ts'
import { ensureTopology } from '../../infra/nats/topology/ensure.ts'
import { buckets, topology } from '../../infra/nats/topology/topology.ts'
import { aNatsServer } from '../support/nats.ts'

test('reading many records at once leaves no subscription behind', async (t) => {
  const nats = await aNatsServer(t)
  const connection = await nats.connect()
  const jsm = await jetstreamManager(connection)
  await ensureTopology(jsm, topology({ replicas: 1, idempotencyHours: 1, ackWaitMs: 30_000 }))
  const records = await openRecords<string>({ connection, js: jetstream(connection), jsm }, buckets.files)
  await records.create('one', 'first')
  await records.create('two', 'second')

  const found = await records.readMany(['one', 'two', 'three'])
  t.deepEqual(
    found,
    new Map([
      ['one', 'first'],
      ['two', 'second'],
    ]),
  )
  const before = subscriptions(connection)
  for (let time = 0; time < 10; time += 1) await records.readMany(['one', 'two', 'three'])
  t.is(subscriptions(connection), before)
  t.deepEqual(await records.readMany(['three']), new Map())
  t.deepEqual(await records.readMany([]), new Map())
})

test('listing keys leaves no consumer behind, and leaves out what was removed', async (t) => {
  const nats = await aNatsServer(t)
  const connection = await nats.connect()
  const jsm = await jetstreamManager(connection)
  await ensureTopology(jsm, topology({ replicas: 1, idempotencyHours: 1, ackWaitMs: 30_000 }))
  const records = await openRecords<string>({ connection, js: jetstream(connection), jsm }, buckets.files)
  // not all at once: each write waits for an answer, and only so long
  for (let from = 0; from < 2_500; from += 100)
    await Promise.all(Array.from({ length: 100 }, (_, at) => records.create(`key-${from + at}`, 'value')))
  await records.remove('key-0')

  const keys = await records.keys()
  t.is(keys.length, 2_499)
  t.is(new Set(keys).size, 2_499)
  t.false(keys.includes('key-0'))
  t.is((await jsm.streams.info(`KV_${buckets.files}`)).state.consumer_count, 0)
})

test('a record of a newer version is neither read nor replaced, and one without a version is of the first', async (t) => {
  const nats = await aNatsServer(t)
  const connection = await nats.connect()
  const jsm = await jetstreamManager(connection)
  await ensureTopology(jsm, topology({ replicas: 1, idempotencyHours: 1, ackWaitMs: 30_000 }))
  const js = jetstream(connection)
  const records = await openRecords<string>({ connection, js, jsm }, buckets.files)
  await js.publish(`$KV.${buckets.files}.newer`, JSON.stringify({ op: 'one', v: newestForm + 1, value: 'of tomorrow' }))
  await js.publish(`$KV.${buckets.files}.old`, JSON.stringify({ op: 'two', value: 'of yesterday' }))

  const refusal = { name: 'FailureError', message: /written by a newer version of Vaak/ }
  t.true(isBrokerAway(await t.throwsAsync(records.read('newer'), refusal)))
  await t.throwsAsync(records.readMany(['old', 'newer']), refusal)
  t.is(await records.create('newer', 'of today'), 'exists')
  t.is((await records.read('old'))?.value, 'of yesterday')
  t.deepEqual(await records.readMany(['old']), new Map([['old', 'of yesterday']]))
})

/** The client counts them, but tells nobody. */
function subscriptions(connection: unknown): number {
  return (connection as { protocol: { subscriptions: { size(): number } } }).protocol.subscriptions.size()
}

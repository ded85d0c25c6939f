import { jetstreamManager } from '@nats-io/jetstream'
import type { JetStreamManager } from '@nats-io/jetstream'
import test from 'ava'
import type { ExecutionContext } from 'ava'

import { ensureTopology, TopologyDrift } from '../../infra/nats/topology/ensure.ts'
import { topology } from '../../infra/nats/topology/topology.ts'
import { aNatsServer } from '../support/nats.ts'

const plan = topology({ replicas: 1, idempotencyHours: 1, ackWaitMs: 30_000 })

async function aManager(t: ExecutionContext): Promise<JetStreamManager> {
  return jetstreamManager(await (await aNatsServer(t)).connect())
}

test('the queues have the names of the specification, and keep what is in them until it is done', async (t) => {
  const manager = await aManager(t)
  await ensureTopology(manager, plan)
  for (const name of ['asr_file_queue', 'asr_job_queue', 'file_retry_queue', 'job_retry_queue', 'asr_settled']) {
    const { config, state } = await manager.streams.info(name)
    t.like(config, { retention: 'workqueue', storage: 'file', max_msgs: -1, max_bytes: -1, max_age: 0 })
    t.is(state.consumer_count, name === 'asr_settled' ? 8 : 4)
  }
})

test('two that start at once make everything once, and a later start finds nothing to change', async (t) => {
  const manager = await aManager(t)
  await t.notThrowsAsync(Promise.all([ensureTopology(manager, plan), ensureTopology(manager, plan)]))
  const before = await manager.consumers.info('asr_job_queue', 'level-3')
  await t.notThrowsAsync(ensureTopology(manager, plan))
  const after = await manager.consumers.info('asr_job_queue', 'level-3')
  t.is(after.created, before.created)
})

test('consumers with another ack wait are named, with the variable that decides it, and left alone', async (t) => {
  const manager = await aManager(t)
  await ensureTopology(manager, plan)
  const other = topology({ replicas: 1, idempotencyHours: 1, ackWaitMs: 500 })
  const drift = await t.throwsAsync(ensureTopology(manager, other), { instanceOf: TopologyDrift })
  t.regex(drift?.message ?? '', /asr_file_queue\.level-0\.ack_wait: expected 500000000, found 30000000000/)
  t.regex(drift?.message ?? '', /and \d+ more/)
  t.regex(drift?.message ?? '', /ACK_WAIT_MS/)
  await t.notThrowsAsync(ensureTopology(manager, plan))
})

test('a consumer that somebody gave a backoff is named', async (t) => {
  const manager = await aManager(t)
  await ensureTopology(manager, plan)
  await manager.consumers.update('asr_settled', 'shard-2', { backoff: [30e9, 60e9] })
  await t.throwsAsync(ensureTopology(manager, plan), { message: /asr_settled\.shard-2\.backoff: expected \[\], found/ })
})

test('what is missing among the rest is made', async (t) => {
  const manager = await aManager(t)
  await ensureTopology(manager, plan)
  await manager.consumers.delete('file_retry_queue', 'level-2')
  await ensureTopology(manager, plan)
  t.is((await manager.consumers.info('file_retry_queue', 'level-2')).config.filter_subject, 'asr.file-retry.due-2.>')
})

import type { JetStreamManager } from '@nats-io/jetstream'
import test from 'ava'
import { errors } from 'nats'

import { findConsumer, findStream } from '../../infra/nats/topology/ensure.ts'
import { topology } from '../../infra/nats/topology/topology.ts'

const { streams, consumers } = topology({ replicas: 1, idempotencyHours: 1, ackWaitMs: 30_000 })

/** It leaves the first looks unanswered, as one does that elects who leads a stream. */
function anElection(unanswered: Error, times: number) {
  let looks = 0
  const info = async () => {
    looks += 1
    if (looks <= times) throw unanswered
    return { config: { name: 'there' } }
  }
  const manager = { streams: { info }, consumers: { info } } as unknown as JetStreamManager // as: a look asks for no more
  return { manager, looks: () => looks }
}

test('a role that starts while the broker elects who leads a stream asks again, and then starts', async (t) => {
  const ofStream = anElection(new errors.TimeoutError(), 2)
  t.like(await findStream(ofStream.manager, streams[0]!), { config: { name: 'there' } })
  t.is(ofStream.looks(), 3)
  const ofConsumer = anElection(new errors.TimeoutError(), 2)
  t.like(await findConsumer(ofConsumer.manager, consumers[0]!), { config: { name: 'there' } })
  t.is(ofConsumer.looks(), 3)
})

test('what a role is not allowed to ask is not asked for again', async (t) => {
  const cause = new errors.PermissionViolationError('may not', 'publish', '$JS.API.STREAM.INFO.one')
  const refusal = new errors.RequestError('may not', { cause })
  const refused = anElection(refusal, Infinity)
  await t.throwsAsync(findStream(refused.manager, streams[0]!), { message: /does not allow/ })
  t.is(refused.looks(), 1)
})

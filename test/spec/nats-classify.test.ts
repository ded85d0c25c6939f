import { JetStreamApiError } from '@nats-io/jetstream'
import test from 'ava'
import { errors } from 'nats'

import { isBrokerAway } from '../../actors/failure.ts'
import { classify } from '../../infra/nats/connection/classify.ts'

const transient: readonly [string, Error][] = [
  ['nobody answers', new errors.TimeoutError()],
  ['nobody listens', new errors.NoRespondersError('$JS.API.INFO')],
  // chaos, cluster, seed 1: a publication while a stream elects its leader; the client does not export the class
  ['a stream elects its leader', Object.assign(new Error('jetstream is not enabled'), { name: 'JetStreamNotEnabled' })],
  // chaos, cluster, seed 42: a report that was not answered in time is sent again
  [
    'it still stores what was sent before under the same id',
    new JetStreamApiError({ code: 409, err_code: 10_158, description: 'duplicate message id is in process' }),
  ],
  // a migration to three copies on a machine whose cores are all taken
  [
    'a node that should have a copy is not heard of',
    new JetStreamApiError({
      code: 400,
      err_code: 10_005,
      description: 'no suitable peers for placement, peer offline',
    }),
  ],
  ['the connection is closed', new errors.ClosedConnectionError()],
]

for (const [when, error] of transient)
  test(`a caller is told that the broker is away when ${when}`, (t) => {
    t.true(isBrokerAway(classify(error)))
  })

test('that a cluster is too small for its copies is no outage', (t) => {
  const description = 'no suitable peers for placement, insufficient storage'
  const tooSmall = new JetStreamApiError({ code: 400, err_code: 10_005, description })
  t.is(classify(tooSmall), tooSmall)
})

test('what is not known is a bug and stays as it is', (t) => {
  const bug = new TypeError('undefined is not a function')
  t.is(classify(bug), bug)
})

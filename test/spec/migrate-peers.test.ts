import { JetStreamApiError } from '@nats-io/jetstream'
import type { JetStreamManager } from '@nats-io/jetstream'
import test from 'ava'

import { migrate } from '../../infra/nats/topology/migrate.ts'

const change = { stream: 'KV_vaak_files', setting: 'num_replicas', wanted: 3, found: 1 }
const migration = { missing: [], changes: [change], impossible: [], retired: [] }
const plan = { streams: [], consumers: [], retired: [] }

/** It refuses the first changes with these words, and then makes them. */
function aCluster(refusals: readonly JetStreamApiError[]) {
  const left = [...refusals]
  let changes = 0
  const manager = {
    streams: {
      async update() {
        const next = left.shift()
        if (next) throw next
        changes += 1
      },
      info: async () => ({
        config: { num_replicas: 3 },
        cluster: { replicas: [{ current: true }, { current: true }] },
      }),
    },
  } as unknown as JetStreamManager // as: a change of one stream asks for no more
  return { manager, changes: () => changes }
}

function refusal(code: number, description: string, status = 400): JetStreamApiError {
  return new JetStreamApiError({ code: status, err_code: code, description })
}

test('a cluster whose nodes have not heard of each other yet is asked again', async (t) => {
  const nobody = refusal(10_005, 'no suitable peers for placement')
  const cluster = aCluster([nobody, nobody])
  const told: string[] = []
  await migrate(cluster.manager, { plan, migration }, (place) => told.push(place))
  t.is(cluster.changes(), 1)
  t.deepEqual(told, ['KV_vaak_files'])
})

test('what a broker refuses for good is told at once', async (t) => {
  const cluster = aCluster([refusal(10_074, 'replicas > 1 not supported in non-clustered mode', 500)])
  const changing = migrate(cluster.manager, { plan, migration }, () => undefined)
  await t.throwsAsync(changing, { message: /non-clustered/ })
  t.is(cluster.changes(), 0)
})

import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'

import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import test from 'ava'
import type { ExecutionContext } from 'ava'

import { connectNats } from '../../infra/nats/connection/connect.ts'
import { ensureTopology } from '../../infra/nats/topology/ensure.ts'
import { migrate, planMigration } from '../../infra/nats/topology/migrate.ts'
import { topology } from '../../infra/nats/topology/topology.ts'
import { startBroker } from '../chaos/rig/broker.ts'
import { eventually } from '../support/eventually.ts'
import { aFolder } from '../support/folder.ts'
import { aNatsServer } from '../support/nats.ts'
import { runVaak } from '../support/processes.ts'
import { silentLog } from '../support/silent-log.ts'
import { turnOf } from '../support/turns.ts'

const before = { replicas: 1, idempotencyHours: 1, ackWaitMs: 30_000 }

test('vaak migrate shows what differs, and changes it only when told', async (t) => {
  const nats = await aNatsServer(t)
  const connection = await nats.connect()
  const manager = await jetstreamManager(connection)
  await ensureTopology(manager, topology(before))
  await jetstream(connection).publish('asr.chunk.due-3.batch.file.0', 'waits')
  const environment = { NATS_URL: nats.url, NATS_USER: nats.user, NATS_PASSWORD: nats.pass, IDEMPOTENCY_HOURS: '2' }
  const vaak = (...words: string[]) => runVaak(t, ['migrate', ...words], { ...environment, ACK_WAIT_MS: '45000' })

  const shown = await vaak()
  t.is(shown.code, 0, shown.stderr)
  t.regex(shown.stdout, /^max_age: 3600000000000 → 7200000000000 in KV_vaak_claims$/m)
  t.regex(shown.stdout, /^ack_wait: 30000000000 → 45000000000 in asr_file_queue\.level-0, .* and 29 more$/m)
  t.regex(shown.stdout, /Nothing was changed/)
  const unasked = await vaak('--apply')
  t.is(unasked.code, 2)
  t.regex(unasked.stderr, /Nobody is there to be asked. Try: vaak migrate --yes/)
  await t.notThrowsAsync(ensureTopology(manager, topology(before)))

  const changed = await vaak('--yes')
  t.is(changed.code, 0, changed.stderr)
  await t.notThrowsAsync(ensureTopology(manager, topology({ replicas: 1, idempotencyHours: 2, ackWaitMs: 45_000 })))
  t.is((await manager.streams.info('asr_job_queue')).state.messages, 1)
  t.is((await vaak()).stdout, 'The broker is as expected.\n')
})

test('what a broker changes on nothing that exists is named, and then nothing is changed', async (t) => {
  const nats = await aNatsServer(t)
  const manager = await jetstreamManager(await nats.connect())
  const [first, ...streams] = topology(before).streams
  await manager.streams.add({ ...first!, storage: 'memory' })
  await ensureTopology(manager, { streams, consumers: topology(before).consumers })
  const plan = topology({ ...before, ackWaitMs: 45_000 })
  const { changes, impossible } = await planMigration(manager, plan)
  t.deepEqual(impossible, [{ stream: first!.name, setting: 'storage', wanted: 'file', found: 'memory' }])
  t.is(changes.length, 40)
  const environment = { NATS_URL: nats.url, NATS_USER: nats.user, NATS_PASSWORD: nats.pass, IDEMPOTENCY_HOURS: '1' }
  const refused = await runVaak(t, ['migrate', '--yes'], { ...environment, ACK_WAIT_MS: '45000' })
  t.is(refused.code, 2)
  t.regex(refused.stdout, /^storage: "memory" → "file" in KV_vaak_files — cannot be changed$/m)
  t.is((await manager.consumers.info('asr_settled', 'shard-0')).config.ack_wait, 30_000_000_000)
})

async function aCluster(t: ExecutionContext) {
  await turnOf(t)
  const folder = await aFolder(t)
  const logs = join(folder, 'logs')
  await mkdir(logs)
  const broker = await startBroker({ folder, logs }, 3)
  t.teardown(() => broker.close())
  const { url, user, pass } = broker
  const connection = await connectNats({ url, user, pass, name: 'test', log: silentLog, waitOnFirstConnect: true })
  t.teardown(() => connection.close())
  return { broker, connection }
}

test('streams of one copy get three on a cluster, and outlive the node that had them', async (t) => {
  const { broker, connection } = await aCluster(t)
  const manager = await jetstreamManager(connection, { timeout: 20_000 })
  // a few of each kind: each of a hundred would elect its leader on a machine of two cores
  const of = (replicas: number) => {
    const { streams, consumers } = topology({ ...before, replicas })
    const some = new Set(['KV_vaak_files', 'asr_settled'])
    return {
      streams: streams.filter(({ name }) => some.has(name)),
      consumers: consumers.filter(({ stream, name }) => some.has(stream) && name === 'shard-0'),
      retired: [],
    }
  }
  await ensureTopology(manager, of(1))
  // the node that is asked may not have heard of a stream that another has just made
  const js = jetstream(connection, { timeout: 20_000 })
  await eventually('the stream takes it', () => js.publish('$KV.vaak_files.one', 'kept', { msgID: 'once' }))
  const plan = of(3)
  const migration = await planMigration(manager, plan)
  t.deepEqual(
    migration.changes.map(({ stream, setting, wanted }) => [stream, setting, wanted]),
    [
      ['KV_vaak_files', 'num_replicas', 3],
      ['asr_settled', 'num_replicas', 3],
    ],
  )
  const told: string[] = []
  await migrate(manager, { plan, migration }, (place) => told.push(place))
  t.deepEqual(told, ['KV_vaak_files', 'asr_settled'])
  const { cluster } = await eventually('its leader answers', () => manager.streams.info('KV_vaak_files'))
  t.true(cluster?.replicas?.length === 2 && cluster.replicas.every(({ current }) => current))
  await broker.nodes.find(({ name }) => name === cluster?.leader)?.kill9()
  const read = await eventually('another leads', () => manager.streams.getMessage('KV_vaak_files', { seq: 1 }))
  t.is(read.string(), 'kept')
})

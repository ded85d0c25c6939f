import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'

import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import test from 'ava'

import { backUp } from '../../infra/nats/backup/back-up.ts'
import { planRestore, restoreBackup } from '../../infra/nats/backup/restore.ts'
import { buckets, topology } from '../../infra/nats/topology/topology.ts'
import { aFolder } from '../support/folder.ts'
import { aNatsServer } from '../support/nats.ts'

const stream = `KV_${buckets.batches}`
const keys = Array.from({ length: 6 }, (_, index) => `$KV.${buckets.batches}.key-${index}`)
const startProgress = () => ({ update: () => undefined, done: () => undefined, fail: () => undefined })
/** Without what came later, one of the first ten lacked a record: the broker writes down what it knows after what it has. */
const rounds = 30

test('no record is missing in a backup that is taken while all of them are written again and again', async (t) => {
  const [used, empty] = [await (await aNatsServer(t)).connect(), await (await aNatsServer(t)).connect()]
  const whole = topology({ replicas: 1, idempotencyHours: 1, ackWaitMs: 1_000 })
  const plan = { ...whole, streams: whole.streams.filter(({ name }) => name === stream) }
  await (await jetstreamManager(used)).streams.add(plan.streams[0]!)
  const js = jetstream(used)
  let written = 0
  const write = () => js.publish(keys[(written += 1) % keys.length]!, `value ${written}`)
  for (const _ of keys) await write()
  const over = new AbortController()
  const writing = (async () => {
    for (; !over.signal.aborted; await nextTurn()) await write()
  })()

  const manager = await jetstreamManager(empty)
  const parent = await aFolder(t)
  for (let round = 0; round < rounds; round += 1) {
    const folder = join(parent, `backup-${round}`)
    await backUp({ connection: used, plan, folder, version: '0', takenAtMs: 0, startProgress })
    const restoring = await planRestore(manager, folder)
    await restoreBackup(restoring, { connection: empty, manager, replicas: 1, startProgress })
    const { state } = await manager.streams.info(stream, { subjects_filter: '>' })
    t.deepEqual(Object.keys(state.subjects ?? {}).sort(), keys, `in round ${round}`)
    await manager.streams.delete(stream)
  }
  over.abort()
  await writing
})

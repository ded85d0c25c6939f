import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'

import type { ExecutionContext } from 'ava'
import type { NatsConnection } from 'nats'

import { connectNats } from '../../infra/nats/connection/connect.ts'
import { startBroker } from '../chaos/rig/broker.ts'
import type { Broker, BrokerNode } from '../chaos/rig/broker.ts'
import { aFolder } from './folder.ts'
import { silentLog } from './silent-log.ts'

/** On a machine that has other things to do. */
export const electionWithinMs = 120_000

/** Three nodes, with links between them that can be held. Closed with the test. */
export async function aCluster(t: ExecutionContext): Promise<Broker> {
  const folder = await aFolder(t)
  const logs = join(folder, 'logs')
  await mkdir(logs)
  const broker = await startBroker({ folder, logs }, 3)
  t.teardown(() => broker.close())
  return broker
}

/** To this node and no other. */
export async function connectTo(
  t: ExecutionContext,
  { user, pass }: Broker,
  { port }: BrokerNode,
): Promise<NatsConnection> {
  const url = `nats://127.0.0.1:${port}`
  const connection = await connectNats({ url, user, pass, name: 'test', log: silentLog, waitOnFirstConnect: true })
  t.teardown(() => connection.close())
  return connection
}

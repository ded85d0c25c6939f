import { join } from 'node:path'

import type { Config } from '../config/config.ts'
import type { BrokerClient } from '../nats/records/stores.ts'
import { openLog } from '../telemetry/log.ts'
import { UsageError } from './command.ts'

/** For a command on the broker that the service uses: NATS_URL, or that of a "vaak up" on this DATA_DIR. */
export async function withBroker(
  config: Config,
  name: string,
  use: (client: BrokerClient, log: ReturnType<typeof openLog>) => Promise<void>,
): Promise<void> {
  const { connectNats, disconnectNats } = await import('../nats/connection/connect.ts')
  const { openBroker } = await import('../nats/records/stores.ts')
  const { readListenAddress } = await import('../nats-server/settings.ts')
  const log = openLog({ level: 'warn', pii: config.logPii, role: name })
  const broker = config.natsUrl === '' ? await readListenAddress(join(config.dataDir, 'nats')) : undefined
  if (config.natsUrl === '' && !broker)
    throw new UsageError('NATS_URL is empty and no "vaak up" runs on this DATA_DIR. Start it, or set NATS_URL.')
  const connection = await connectNats({
    url: broker?.url ?? config.natsUrl,
    ...(broker ?? (config.natsUser !== '' && { user: config.natsUser, pass: config.natsPassword })),
    name: `vaak-${name}`,
    log,
    waitOnFirstConnect: false,
  })
  try {
    await use(await openBroker(connection, { config, isAway: () => false }), log)
  } finally {
    await disconnectNats(connection)
  }
}

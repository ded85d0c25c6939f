import type { Config } from '../config/config.ts'
import type { BrokerClient } from '../nats/records/stores.ts'
import { openLog } from '../telemetry/log.ts'

/** For a command on the broker that the service uses: NATS_URL, or that of a "vaak up" on this DATA_DIR. */
export async function withRunningBroker(
  config: Config,
  name: string,
  use: (client: BrokerClient, log: ReturnType<typeof openLog>) => Promise<void>,
): Promise<void> {
  const { connectForCommand, runningBroker } = await import('./broker.ts')
  const { disconnectNats } = await import('../nats/connection/connect.ts')
  const { openBroker } = await import('../nats/records/stores.ts')
  const log = openLog({ level: 'warn', pii: config.logPii, role: name })
  const connection = await connectForCommand(await runningBroker(config), { name: `vaak-${name}`, log })
  try {
    await use(await openBroker(connection, { config, isAway: () => false }), log)
  } finally {
    await disconnectNats(connection)
  }
}

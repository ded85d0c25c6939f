import type { Log } from '../../../actors/ports.ts'
import type { Config } from '../../config/config.ts'
import { watchAway } from '../connection/away.ts'
import { connectNats } from '../connection/connect.ts'
import { openBroker } from './stores.ts'
import type { BrokerClient } from './stores.ts'

/** For a role that runs: it waits for a broker that is not there yet. */
export async function connectBroker(
  config: Config,
  { name, log }: { readonly name: string; readonly log: Log },
): Promise<BrokerClient> {
  const connection = await connectNats({
    url: config.natsUrl,
    ...(config.natsUser !== '' && { user: config.natsUser, pass: config.natsPassword }),
    name,
    log,
    waitOnFirstConnect: true,
  })
  return openBroker(connection, { config, isAway: watchAway(connection) })
}

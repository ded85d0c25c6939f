import type { Log } from '../../../actors/ports.ts'
import type { Config } from '../../config/config.ts'
import { accessOf } from '../connection/access.ts'
import { watchAway } from '../connection/away.ts'
import { connectNats } from '../connection/connect.ts'
import type { BrokerRole } from '../topology/roles.ts'
import { openBroker } from './stores.ts'
import type { BrokerClient } from './stores.ts'

/** For a role that runs: it waits for a broker that is not there yet. */
export async function connectBroker(
  config: Config,
  { role, log }: { readonly role: BrokerRole; readonly log: Log },
): Promise<BrokerClient> {
  const connection = await connectNats({ ...accessOf(config), name: `vaak-${role}`, log, waitOnFirstConnect: true })
  return openBroker(connection, { config, isAway: watchAway(connection), role })
}

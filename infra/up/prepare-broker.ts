import type { Log } from '../../actors/ports.ts'
import type { Config } from '../config/config.ts'
import type { BrokerAccess } from '../nats/connection/access.ts'
import { connectNats, disconnectNats } from '../nats/connection/connect.ts'
import { openKnownStores } from '../nats/records/known-stores.ts'
import { openBroker } from '../nats/records/stores.ts'

/** Makes what the roles need and may not make themselves, as the operator of the broker. */
export async function prepareBroker(
  operator: BrokerAccess,
  { config, log }: { readonly config: Config; readonly log: Log },
): Promise<void> {
  const connection = await connectNats({ ...operator, name: 'vaak-up', log, waitOnFirstConnect: false })
  try {
    await openKnownStores(await openBroker(connection, { config, isAway: () => false }))
  } finally {
    await disconnectNats(connection)
  }
}

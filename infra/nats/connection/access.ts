import type { Config } from '../../config/config.ts'
import type { ConnectNatsOptions } from './connect.ts'

/** Where the broker is, and who we are there. */
export type BrokerAccess = Pick<ConnectNatsOptions, 'url' | 'user' | 'pass' | 'inboxPrefix'>

/** As the settings have it. */
export function accessOf(config: Config): BrokerAccess {
  return {
    url: config.natsUrl,
    ...(config.natsUser !== '' && { user: config.natsUser, pass: config.natsPassword }),
    inboxPrefix: config.natsInboxPrefix,
  }
}

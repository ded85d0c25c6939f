import type { Config } from '../../config/config.ts'
import type { ConnectNatsOptions } from './connect.ts'
import type { Proof } from './proof.ts'

/** Where the broker is, and who we are there. */
export type BrokerAccess = Pick<ConnectNatsOptions, 'url' | 'user' | 'pass' | 'inboxPrefix' | 'proof'>

/** As the settings have it. */
export function accessOf(config: Config): BrokerAccess {
  return {
    url: config.natsUrl,
    ...(config.natsUser !== '' && { user: config.natsUser, pass: config.natsPassword }),
    inboxPrefix: config.natsInboxPrefix,
    proof: proofOf(config),
  }
}

function proofOf({ natsCreds, natsTlsCa, natsTlsCert, natsTlsKey }: Config): Proof {
  return {
    ...(natsCreds !== '' && { credsFile: natsCreds }),
    ...(natsTlsCa !== '' && { caFile: natsTlsCa }),
    ...(natsTlsCert !== '' && { certFile: natsTlsCert, keyFile: natsTlsKey }),
  }
}

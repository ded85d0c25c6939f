import { readFileSync } from 'node:fs'

import { credsAuthenticator } from 'nats'
import type { NodeConnectionOptions } from 'nats'

/** Files by which the broker knows us, and we know the broker. */
export interface Proof {
  /** A JWT and an nkey. */
  readonly credsFile?: string
  readonly caFile?: string
  readonly certFile?: string
  readonly keyFile?: string
}

/** Every file is read once at the start: one that is missing would otherwise look like a broker that is not there yet. */
export function proofSettings(proof: Proof): Pick<NodeConnectionOptions, 'tls' | 'authenticator'> {
  const { credsFile, ...tls } = proof
  for (const path of Object.values(proof)) read(path)
  return {
    ...(Object.keys(tls).length > 0 && { tls }),
    // and credentials again at each connection: they are renewed by others
    ...(credsFile !== undefined && { authenticator: credsAuthenticator(() => read(credsFile)) }),
  }
}

function read(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (error) {
    throw new Error(
      `${path} cannot be read: check NATS_CREDS, NATS_TLS_CA, NATS_TLS_CERT and NATS_TLS_KEY. ${String(error)}`,
      {
        cause: error,
      },
    )
  }
}

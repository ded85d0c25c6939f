import type { Environment } from '../config/config.ts'
import type { KeySecret } from '../identity/key-seal.ts'
import type { BrokerRole } from '../nats/topology/roles.ts'
import { allocationEnvironment } from '../process/memory-allocation.ts'

/** What those who let people in have, and nobody else. */
const secretsOfIdentity = new Set(['KEY_SECRET', 'KEY_SECRET_SINCE', 'SESSION_SECRET'])

/** What a role is told: of secrets only those that it needs. */
export function roleEnvironment(
  role: BrokerRole,
  { environment, keySecret }: { readonly environment: Environment; readonly keySecret: KeySecret | undefined },
): Environment {
  // their metrics would want the gateway's port
  const apart = role === 'gateway' ? {} : { METRICS_PORT: '0' }
  const isKept = (variable: string): boolean =>
    variable !== 'NATS_STORE_KEY' && (role !== 'worker' || !secretsOfIdentity.has(variable))
  const kept = Object.fromEntries(Object.entries(environment).filter(([variable]) => isKept(variable)))
  return { ...allocationEnvironment, ...kept, ...apart, ...(role !== 'worker' && keySecret && variablesOf(keySecret)) }
}

function variablesOf({ text, sinceMs }: KeySecret): Environment {
  return {
    KEY_SECRET: text,
    ...(sinceMs !== undefined && { KEY_SECRET_SINCE: new Date(sinceMs).toISOString() }),
  }
}

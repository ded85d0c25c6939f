import { cp, mkdir } from 'node:fs/promises'
import { join } from 'node:path'

import type { Environment } from '../../config/config.ts'
import type { KeySecret } from '../../identity/key-seal.ts'
import { inboxPrefixOf } from '../../nats/topology/roles.ts'
import type { BrokerRole } from '../../nats/topology/roles.ts'
import { freePort } from '../../process/free-port.ts'
import { roleEnvironment } from '../../up/role-environment.ts'
import type { Brokers } from './brokers.ts'

/** One process of the cluster, as if it had a machine of its own. */
export interface ClusterMember {
  readonly name: string
  readonly role: BrokerRole
  readonly environment: Environment
  readonly metricsPort: number
}

export interface ClusterParts {
  readonly folder: string
  readonly environment: Environment
  readonly brokers: Pick<Brokers, 'url' | 'address'>
  readonly keySecret: KeySecret | undefined
}

const metricsVariables: Readonly<Record<BrokerRole, string>> = {
  gateway: 'METRICS_PORT',
  worker: 'WORKER_METRICS_PORT',
  realtime: 'REALTIME_METRICS_PORT',
}

/** Several of one role, with folders, ports and secrets as on machines of their own; storage is what they share. */
export function membersOf(
  { role, count }: { readonly role: BrokerRole; readonly count: number },
  parts: ClusterParts,
): Promise<ClusterMember[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => memberOf(`${role}-${index + 1}`, role, parts)))
}

async function memberOf(name: string, role: BrokerRole, parts: ClusterParts): Promise<ClusterMember> {
  const { folder, brokers, keySecret } = parts
  const dataDir = join(folder, name)
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  // one issuer for all, which in earnest is an identity provider
  if (role !== 'worker') await cp(join(folder, 'identity'), join(dataDir, 'identity'), { recursive: true })
  const metricsPort = await freePort()
  const environment = {
    ...parts.environment,
    DATA_DIR: dataDir,
    PORT: '0',
    REALTIME_PORT: '0',
    STORAGE_URL: `disk:${join(folder, 'objects')}`,
    NATS_URL: brokers.url,
    NATS_USER: role,
    NATS_PASSWORD: brokers.address.rolePasswords[role],
    NATS_INBOX_PREFIX: inboxPrefixOf(role),
    NATS_REPLICAS: '3',
  }
  const told = roleEnvironment(role, { environment, keySecret })
  return { name, role, metricsPort, environment: { ...told, [metricsVariables[role]]: String(metricsPort) } }
}

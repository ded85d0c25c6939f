import { resolve } from 'node:path'

import type { NatsConnection } from 'nats'

import type { Log } from '../../actors/ports.ts'
import type { Config } from '../config/config.ts'
import { readListenAddress } from '../nats-server/settings.ts'
import { accessOf } from '../nats/connection/access.ts'
import type { BrokerAccess } from '../nats/connection/access.ts'
import { connectNats, disconnectNats } from '../nats/connection/connect.ts'
import { FolderInUse, lockFolder } from '../process/folder-lock.ts'
import { openLog } from '../telemetry/log.ts'
import { findOwnBroker, ownStoreOf, startOwnBroker } from '../up/own-broker.ts'
import { UsageError } from './command.ts'
import type { GivenArguments } from './command.ts'

/** That of NATS_URL, or of the `vaak up` that runs on this DATA_DIR. */
export async function runningBroker(config: Config): Promise<BrokerAccess> {
  if (config.natsUrl !== '') return accessOf(config)
  const own = await readListenAddress(ownStoreOf(config.dataDir))
  if (own) return own
  throw new UsageError('NATS_URL is empty and no "vaak up" runs on this DATA_DIR. Start it, or set NATS_URL.')
}

export function connectForCommand(
  access: BrokerAccess,
  { name, log }: { readonly name: string; readonly log: Log },
): Promise<NatsConnection> {
  return connectNats({ ...access, name, log, waitOnFirstConnect: false })
}

interface OperatorCommand {
  readonly name: string
  /** Whether it may make a store where there is none. */
  readonly mayBeNew?: boolean
  /** Whether everybody else must have left the folder of a `vaak up`. */
  readonly alone?: boolean
}

/** For commands that see to the broker itself. Where a `vaak up` would bring one and does not run, it is started for as long as needed. */
export async function withBroker(
  { config, environment }: Pick<GivenArguments, 'config' | 'environment'>,
  { name, mayBeNew = false, alone = false }: OperatorCommand,
  use: (connection: NatsConnection, log: Log) => Promise<void>,
): Promise<void> {
  const log = openLog({ level: 'warn', pii: config.logPii, role: name })
  const useAt = async (access: BrokerAccess): Promise<void> => {
    const connection = await connectForCommand(access, { name: `vaak-${name}`, log })
    try {
      await use(connection, log)
    } finally {
      await disconnectNats(connection)
    }
  }
  if (config.natsUrl !== '') return useAt(accessOf(config))
  if (!mayBeNew) await runningBroker(config)
  const dataDir = resolve(config.dataDir)
  const lock = await lockFolder(dataDir, `vaak ${name}`).catch((error: unknown) => {
    if (!(error instanceof FolderInUse) || alone) throw error
  })
  if (!lock) return useAt(await runningBroker(config))
  try {
    const server = await startOwnBroker(await findOwnBroker(config, environment, log), { ...config, dataDir, log })
    try {
      await useAt(server)
    } finally {
      await server.stop()
    }
  } finally {
    await lock.release()
  }
}

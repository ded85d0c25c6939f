import { resolve } from 'node:path'

import type { NatsConnection } from 'nats'

import type { Log } from '../../actors/ports.ts'
import type { Config } from '../config/config.ts'
import { readListenAddress } from '../nats-server/settings.ts'
import { connectNats, disconnectNats } from '../nats/connection/connect.ts'
import { FolderInUse, lockFolder } from '../process/folder-lock.ts'
import { openLog } from '../telemetry/log.ts'
import { findOwnBroker, ownStoreOf, startOwnBroker } from '../up/own-broker.ts'
import { UsageError } from './command.ts'
import type { GivenArguments } from './command.ts'

interface BrokerAddress {
  readonly url: string
  readonly user?: string
  readonly pass?: string
}

/** That of NATS_URL, or of the `vaak up` that runs on this DATA_DIR. */
export async function runningBroker(config: Config): Promise<BrokerAddress> {
  if (config.natsUrl !== '') return givenBroker(config)
  const own = await readListenAddress(ownStoreOf(config.dataDir))
  if (own) return own
  throw new UsageError('NATS_URL is empty and no "vaak up" runs on this DATA_DIR. Start it, or set NATS_URL.')
}

export function connectForCommand(
  { url, user, pass }: BrokerAddress,
  { name, log }: { readonly name: string; readonly log: Log },
): Promise<NatsConnection> {
  return connectNats({ url, user, pass, name, log, waitOnFirstConnect: false })
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
  const useAt = async (address: BrokerAddress): Promise<void> => {
    const connection = await connectForCommand(address, { name: `vaak-${name}`, log })
    try {
      await use(connection, log)
    } finally {
      await disconnectNats(connection)
    }
  }
  if (config.natsUrl !== '') return useAt(givenBroker(config))
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

function givenBroker({ natsUrl: url, natsUser: user, natsPassword: pass }: Config): BrokerAddress {
  return user === '' ? { url } : { url, user, pass }
}

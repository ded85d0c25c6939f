import { homedir } from 'node:os'
import { join } from 'node:path'

import type { Log } from '../../actors/ports.ts'
import { cacheFolder } from '../config/cache-folder.ts'
import type { Config, Environment } from '../config/config.ts'
import { findNatsServer } from '../nats-server/find.ts'
import { startNatsServer } from '../nats-server/supervise.ts'
import type { SupervisedNatsServer } from '../nats-server/supervise.ts'
import { progressOn } from '../telemetry/progress.ts'

/** The nats-server that serves where NATS_URL is empty. */
export async function findOwnBroker(config: Config, environment: Environment, log: Log): Promise<string> {
  const found = await findNatsServer({
    configured: config.natsServerBin,
    searchPath: environment['PATH'] ?? '',
    cacheDir: cacheFolder({
      configured: config.cacheDir,
      xdgCacheHome: environment['XDG_CACHE_HOME'],
      home: homedir(),
    }),
    log,
    startProgress: progressOn(process.stderr),
  })
  log.debug('nats-server found', found)
  return found.path
}

interface OwnBrokerPlace extends Pick<Config, 'natsStoreMaxBytes' | 'natsStoreKey'> {
  readonly dataDir: string
  readonly log: Log
}

/** Who holds the lock of the folder may. */
export function startOwnBroker(binary: string, at: OwnBrokerPlace): Promise<SupervisedNatsServer> {
  const { dataDir, log, natsStoreMaxBytes: maxFileStoreBytes, natsStoreKey: storeKey } = at
  return startNatsServer({ binary, storeDir: ownStoreOf(dataDir), log, maxFileStoreBytes, storeKey })
}

export function ownStoreOf(dataDir: string): string {
  return join(dataDir, 'nats')
}

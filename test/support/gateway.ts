import { join } from 'node:path'

import type { ExecutionContext } from 'ava'

import type { Faults } from '../../actors/ports.ts'
import { startGateway } from '../../gateway/main.ts'
import { readConfig } from '../../infra/config/config.ts'
import { openDevelopmentIssuer } from '../../infra/identity/development-issuer.ts'
import { inboxPrefixOf } from '../../infra/nats/topology/roles.ts'
import type { BrokerRole } from '../../infra/nats/topology/roles.ts'
import { noFaults } from '../../infra/process/faults.ts'
import { systemClock } from '../../infra/timing/clock.ts'
import { openApi } from './api.ts'
import type { Api } from './api.ts'
import { aFolder } from './folder.ts'
import type { TestNats } from './nats.ts'
import { silentLog } from './silent-log.ts'
import { turnOf } from './turns.ts'

export interface TestGateway {
  /** As user `asha`. */
  readonly api: Api
  readonly url: string
  readonly dataDir: string
  readonly spoolFolder: string
  tokenOf(user: string): Promise<string>
  apiOf(user: string): Promise<Api>
  close(): Promise<void>
}

interface GatewayOptions {
  readonly environment?: Record<string, string>
  /** To start again on what an earlier gateway left. */
  readonly dataDir?: string
  readonly faults?: Faults
}

/** A real gateway in this process, against a real broker, with its own folder; gone when the test ends. */
export async function aGateway(
  t: ExecutionContext,
  nats: Pick<TestNats, 'url' | 'user' | 'pass'>,
  options: GatewayOptions = {},
): Promise<TestGateway> {
  await turnOf(t)
  const dataDir = options.dataDir ?? (await aFolder(t))
  const config = readConfig(gatewayEnvironment(nats, { ...options, dataDir }))
  const gateway = await startGateway(config, { log: silentLog, faults: options.faults ?? noFaults })
  let closing: Promise<void> | undefined
  const close = (): Promise<void> => (closing ??= gateway.close())
  t.teardown(close)
  // a tenth of a second each time: gateways of this process promise the same when they are told the same
  const kind = JSON.stringify(options.environment ?? {})
  return { ...(await clientOf(t, { url: gateway.url, dataDir, kind })), close }
}

export function gatewayEnvironment(
  nats: Pick<TestNats, 'url' | 'user' | 'pass'>,
  options: GatewayOptions & { dataDir: string },
): Record<string, string> {
  return {
    NATS_URL: nats.url,
    NATS_USER: nats.user,
    NATS_PASSWORD: nats.pass,
    DATA_DIR: options.dataDir,
    PORT: '0',
    METRICS_PORT: '0',
    SPOOL_RESERVE_BYTES: '0',
    SHUTDOWN_SECONDS: '1',
    // tests run beside each other, and who gives way to all of them waits for long
    WORKER_NICENESS: '0',
    LOG_LEVEL: 'error',
    ...options.environment,
  }
}

/** Who a process is at the broker where each role is a user of its own, as `vaak up` starts them. */
export function asRole(nats: Pick<TestNats, 'rolePasswords'>, role: BrokerRole): Record<string, string> {
  return {
    NATS_USER: role,
    NATS_PASSWORD: nats.rolePasswords[role],
    NATS_INBOX_PREFIX: inboxPrefixOf(role),
  }
}

/** What a test needs of a gateway that listens somewhere, in this process or in another. */
export async function clientOf(
  t: ExecutionContext,
  at: { url: string; dataDir: string; kind?: string },
): Promise<Omit<TestGateway, 'close'>> {
  const issuer = await openDevelopmentIssuer({
    folder: join(at.dataDir, 'identity'),
    nodeEnv: 'test',
    clock: systemClock,
  })
  const tokenOf = (user: string): Promise<string> => issuer.sign({ user })
  const api = await openApi(t, at, await tokenOf('asha'))
  return {
    api,
    url: at.url,
    dataDir: at.dataDir,
    spoolFolder: join(at.dataDir, 'spool'),
    tokenOf,
    apiOf: async (user) => api.as(await tokenOf(user)),
  }
}

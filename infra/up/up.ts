import { once } from 'node:events'
import { join, resolve } from 'node:path'

import type { Log } from '../../actors/ports.ts'
import { cacheFolderOf } from '../config/cache-folder.ts'
import type { Config, Environment } from '../config/config.ts'
import type { KeySecret } from '../identity/key-seal.ts'
import { keySecretOf } from '../identity/key-secret.ts'
import { inboxPrefixOf } from '../nats/topology/roles.ts'
import type { BrokerRole } from '../nats/topology/roles.ts'
import { lockFolder } from '../process/folder-lock.ts'
import { openLog } from '../telemetry/log.ts'
import { systemClock } from '../timing/clock.ts'
import { keepRunning, neverSettled } from './keep-running.ts'
import type { KeptRole } from './keep-running.ts'
import { findOwnBroker, startOwnBroker } from './own-broker.ts'
import { prepareBroker } from './prepare-broker.ts'
import { roleEnvironment } from './role-environment.ts'
import { welcome } from './welcome.ts'

interface UpOptions {
  /** With a certificate of our own, where none is configured. */
  readonly tls: boolean
}

/** Everything on one machine: a broker if none is given, every role as a process of its own, brought back when it dies. */
export async function up(config: Config, environment: Environment, { tls }: UpOptions): Promise<void> {
  const log = openLog({ level: config.logLevel, pii: config.logPii, role: 'up' })
  const dataDir = resolve(config.dataDir)
  const lock = await lockFolder(dataDir, 'vaak up')
  try {
    const binary = config.natsUrl === '' ? await findOwnBroker(config, environment, log) : undefined
    // from here on there is something to stop; until now a signal may simply end us
    const stopping = stopSignal()
    const broker = binary === undefined ? givenBroker : await startBroker(binary, { ...config, dataDir }, log)
    try {
      const certificate = tls && config.tlsCert === '' ? await certificateIn(dataDir, config.host) : undefined
      const own = { ...environment, DATA_DIR: dataDir, ...(certificate && variablesOf(certificate)) }
      const trusted = certificate?.certPath
      const keySecret = await keySecretOf({ ...config, dataDir })
      await serve(config, { environment: own, dataDir, log, stopping, broker, trusted, keySecret })
    } finally {
      stopping.abort()
      await broker.stop()
    }
  } finally {
    await lock.release()
  }
}

interface Serving {
  readonly environment: Environment
  readonly dataDir: string
  readonly log: Log
  readonly stopping: AbortController
  readonly broker: Broker
  /** A certificate that nobody else vouches for. */
  readonly trusted: string | undefined
  readonly keySecret: KeySecret | undefined
}

async function serve(config: Config, input: Serving): Promise<void> {
  const { dataDir, log, stopping, broker, trusted, keySecret } = input
  const told = (role: BrokerRole): Environment =>
    roleEnvironment(role, { environment: { ...input.environment, ...broker.environmentOf(role) }, keySecret })
  let isUp = false
  const keep = { log, stopping: stopping.signal, isUp: () => isUp }
  const realtimeRole = keepRunning('realtime', told('realtime'), keep)
  const gatewayRole =
    config.realtimePort === 0
      ? realtimeRole.then((found) => found && keepRunning('gateway', knowing(told('gateway'), found), keep))
      : keepRunning('gateway', told('gateway'), keep)
  const starting = [gatewayRole, realtimeRole, keepRunning('worker', told('worker'), keep)]
  const roles = await Promise.all(starting).catch(async (error: unknown) => {
    stopping.abort()
    await allEnded(starting)
    throw error
  })
  if (!roles.every((role) => role !== undefined)) return allEnded(starting)
  isUp = true
  const [gateway, realtime] = roles
  const token = await tokenFor(config, dataDir)
  process.stdout.write(welcome({ url: gateway!.url, realtimeUrl: realtime!.url, dataDir, token, trusted }))
  const fetching = fetchVoiceFor(config, input)
  const reason = await Promise.race([aborted(stopping.signal), ...roles.map((role) => role.gaveUp), broker.gaveUp])
  stopping.abort()
  process.stdout.write('\nStopping: running requests end, everything else is kept for the next start.\n')
  await Promise.all([fetching, ...roles.map((role) => role.ended)])
  if (reason instanceof Error) throw reason
}

/** Loaded now and not before: nobody waits for it. */
async function fetchVoiceFor(config: Config, { environment, stopping, log }: Serving): Promise<void> {
  const { openStore } = await import('../speech/models/open-store.ts')
  const { fetchVoice } = await import('./fetch-voice.ts')
  const store = openStore({ cacheDir: cacheFolderOf({ config, environment }), modelDir: config.modelDir })
  await fetchVoice(config, { store, signal: stopping.signal, log })
}

/** A gateway passes sessions on to where the realtime server is, also when the system chose its port. */
function knowing(environment: Environment, { url }: KeptRole): Environment {
  return { ...environment, REALTIME_PORT: new URL(url).port }
}

async function certificateIn(dataDir: string, host: string) {
  const { ownCertificate } = await import('../web/own-certificate.ts')
  return ownCertificate({ folder: join(dataDir, 'tls'), host, clock: systemClock })
}

function variablesOf({ certPath, keyPath }: { certPath: string; keyPath: string }): Environment {
  return { TLS_CERT: certPath, TLS_KEY: keyPath }
}

export async function allEnded(starting: readonly Promise<KeptRole | undefined>[]): Promise<void> {
  for (const one of await Promise.allSettled(starting)) if (one.status === 'fulfilled') await one.value?.ended
}

export function stopSignal(): AbortController {
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort())
  return stopping
}

export function aborted(signal: AbortSignal): Promise<unknown> {
  return signal.aborted ? Promise.resolve() : once(signal, 'abort')
}

interface Broker {
  /** Who a role is there. */
  environmentOf(role: BrokerRole): Environment
  readonly gaveUp: Promise<Error>
  stop(): Promise<void>
}

/** It is somebody else's: NATS_URL says where. */
const givenBroker: Broker = { environmentOf: () => ({}), gaveUp: neverSettled(), stop: () => Promise.resolve() }

/** What would be shown to a broker of somebody else's. */
const notForOurs: Environment = { NATS_CREDS: '', NATS_TLS_CA: '', NATS_TLS_CERT: '', NATS_TLS_KEY: '' }

async function startBroker(binary: string, config: Config, log: Log): Promise<Broker> {
  const server = await startOwnBroker(binary, { ...config, log })
  await prepareBroker(server, { config, log }).catch(async (error: unknown) => {
    await server.stop()
    throw error
  })
  return {
    environmentOf: (role) => ({
      ...notForOurs,
      NATS_URL: server.url,
      NATS_USER: role,
      NATS_PASSWORD: server.rolePasswords[role],
      NATS_INBOX_PREFIX: inboxPrefixOf(role),
    }),
    gaveUp: server.exited.then((error) => error ?? neverSettled()),
    stop: () => server.stop(),
  }
}

export async function tokenFor(config: Config, dataDir: string): Promise<string | undefined> {
  if (config.jwksUrl !== '') return undefined
  const { nodeEnv } = config
  const { openDevelopmentIssuer } = await import('../identity/development-issuer.ts')
  const issuer = await openDevelopmentIssuer({ folder: join(dataDir, 'identity'), nodeEnv, clock: systemClock })
  return issuer.sign({ user: 'me' })
}

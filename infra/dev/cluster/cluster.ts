import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import type { Log } from '../../../actors/ports.ts'
import { processEnvironment, readConfig } from '../../config/config.ts'
import type { Config } from '../../config/config.ts'
import { keySecretOf } from '../../identity/key-secret.ts'
import type { NatsAddress } from '../../nats-server/settings.ts'
import { lockFolder } from '../../process/folder-lock.ts'
import { openLog } from '../../telemetry/log.ts'
import { keepRunning } from '../../up/keep-running.ts'
import type { KeptRole } from '../../up/keep-running.ts'
import { findOwnBroker } from '../../up/own-broker.ts'
import { prepareBroker } from '../../up/prepare-broker.ts'
import { aborted, allEnded, stopSignal, tokenFor } from '../../up/up.ts'
import { startBrokers } from './brokers.ts'
import { membersOf } from './members.ts'
import type { ClusterParts, ClusterMember } from './members.ts'
import { writePrometheusConfig } from './prometheus-config.ts'
import { openRoundRobin } from './round-robin.ts'

/**
 * `npm run cluster`: three brokers, two gateways, three workers and two realtime servers on this machine, behind one address. Each
 * process may be killed; Ctrl-C stops all, and the next start finds everything.
 */

const electedWithinMs = 180_000
const betweenTriesMs = 500
const counts = { gateway: 2, worker: 3, realtime: 2 } as const

try {
  await runCluster()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}

async function runCluster(): Promise<void> {
  const environment = processEnvironment()
  const config = { ...readConfig(environment), natsUrl: '', natsReplicas: 3 }
  const log = openLog({ level: config.logLevel, pii: config.logPii, role: 'cluster' })
  const folder = join(resolve(config.dataDir), 'cluster')
  const lock = await lockFolder(folder, 'npm run cluster')
  try {
    const binary = await findOwnBroker(config, environment, log)
    const stopping = stopSignal()
    const brokers = await startBrokers(binary, { folder, log })
    try {
      await prepare(brokers.address, config, { log, stopping })
      const keySecret = await keySecretOf({ ...config, dataDir: folder })
      const parts = { folder, environment, brokers, keySecret }
      await serve(config, parts, { log, stopping })
    } finally {
      stopping.abort()
      await brokers.stop()
    }
  } finally {
    await lock.release()
  }
}

/** On a store that is there already every stream elects a leader first, and until then answers nobody. */
async function prepare(operator: NatsAddress, config: Config, { log, stopping }: Serving): Promise<void> {
  const deadlineMs = performance.now() + electedWithinMs
  for (;;) {
    try {
      return await prepareBroker(operator, { config, log })
    } catch (error) {
      if (stopping.signal.aborted || performance.now() > deadlineMs) throw error
      await pause(betweenTriesMs)
    }
  }
}

interface Serving {
  readonly log: Log
  readonly stopping: AbortController
}

async function serve(config: Config, parts: ClusterParts, { log, stopping }: Serving): Promise<void> {
  const token = await tokenFor(config, parts.folder)
  let isUp = false
  const starting: Promise<KeptRole | undefined>[] = []
  const start = (members: readonly ClusterMember[]): Promise<(KeptRole | undefined)[]> => {
    const keep = { log, stopping: stopping.signal, isUp: () => isUp }
    const begun = members.map(({ name, role, environment }) => keepRunning(role, environment, { ...keep, name }))
    starting.push(...begun)
    return Promise.all(begun)
  }
  const proxies: { close(): void }[] = []
  const behindOne = async (roles: readonly (KeptRole | undefined)[], port: number): Promise<string> => {
    const targets = roles.flatMap((role) => role?.url ?? [])
    const proxy = await openRoundRobin({ host: config.host, port, targets })
    proxies.push(proxy)
    return proxy.url
  }
  try {
    const realtimes = await membersOf({ role: 'realtime', count: counts.realtime }, parts)
    const workers = await membersOf({ role: 'worker', count: counts.worker }, parts)
    const sessions = await start(realtimes)
    if (stopping.signal.aborted) return
    const realtimeUrl = await behindOne(sessions, 0)
    const withSessions = { ...parts, environment: { ...parts.environment, REALTIME_URL: realtimeUrl } }
    const gateways = await membersOf({ role: 'gateway', count: counts.gateway }, withSessions)
    const [doors] = await Promise.all([start(gateways), start(workers)])
    if (stopping.signal.aborted) return
    const url = await behindOne(doors, config.port)
    isUp = true
    const prometheus = await writePrometheusConfig(parts.folder, [...gateways, ...workers, ...realtimes])
    process.stdout.write(told({ url, token, folder: parts.folder, prometheus, doors, sessions }))
    const roles = await Promise.all(starting)
    const reason = await Promise.race([aborted(stopping.signal), ...roles.map((role) => role!.gaveUp)])
    process.stdout.write('\nStopping: running requests end, everything else is kept for the next start.\n')
    if (reason instanceof Error) throw reason
  } finally {
    stopping.abort()
    await allEnded(starting)
    for (const proxy of proxies) proxy.close()
  }
}

interface Told {
  readonly url: string
  readonly token: string | undefined
  readonly folder: string
  readonly prometheus: string
  readonly doors: readonly (KeptRole | undefined)[]
  readonly sessions: readonly (KeptRole | undefined)[]
}

function told({ url, token = '<a token of your issuer>', folder, prometheus, doors, sessions }: Told): string {
  const urlsOf = (roles: readonly (KeptRole | undefined)[]): string => roles.map((role) => role?.url).join('  ')
  return `
  A cluster is ready behind one address: three nats-servers, ${counts.gateway} gateways, ${counts.worker} workers, ${counts.realtime} realtime servers.

    API        ${url}
    Console    ${url}/#token=${token}
    Gateways   ${urlsOf(doors)}
    Realtime   ${urlsOf(sessions)}
    Data       ${folder}

    export VAAK_URL=${url} VAAK_TOKEN=${token}
    npx vaak batch infra/samples/hinglish.wav

  Kill any one of its processes (pgrep -f vaak.js, pgrep nats-server) and see that nothing is lost. What happened is told to

    prometheus --config.file=${prometheus} --storage.tsdb.path=/tmp/prometheus

  Ctrl-C stops everything; the next start finds all data.
`
}

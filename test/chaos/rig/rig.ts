import { cp, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { openDevelopmentIssuer } from '../../../infra/identity/development-issuer.ts'
import { freePort } from '../../../infra/process/free-port.ts'
import { systemClock } from '../../../infra/timing/clock.ts'
import { buildLastRelease } from '../../support/last-release.ts'
import type { ChaosBreak } from '../breaks.ts'
import { startBroker } from './broker.ts'
import type { Broker, BrokerNode } from './broker.ts'
import { openDisk } from './disk.ts'
import type { Disk } from './disk.ts'
import { openLink } from './link.ts'
import type { Link } from './link.ts'
import { aRole } from './role.ts'
import type { RigRole, RoleEvents } from './role.ts'

/** Everything that runs, and everything between it. */
export interface Rig {
  readonly broker: Broker
  readonly disk: Disk
  /** Where the nodes of the broker keep what they know. */
  readonly stores: Disk
  readonly gateways: readonly Gateway[]
  readonly workers: readonly RigRole[]
  /** From every role to this node. */
  linksTo(node: BrokerNode): readonly Link[]
  tokenOf(user: string): Promise<string>
  /** Every link, process, node and disk as it was at first. */
  heal(): Promise<void>
  close(): Promise<void>
}

interface Gateway extends RigRole {
  readonly url: string
  readonly spoolFolder: string
  /** While it is down. */
  loseDisk(): Promise<void>
}

interface RigOptions {
  readonly folder: string
  readonly profile: RigProfile
  readonly broken?: ChaosBreak | undefined
  /** One gateway and one worker are of the last release. */
  readonly isMixed?: boolean
  readonly events: RoleEvents
}

export type RigProfile = 'single' | 'cluster'

const gatewayCount = 2
const workerCount = 3
export const slots = { files: 2, chunks: 2 } as const
const diskBytes = 768 * 1024 * 1024
const storeBytes = 1024 * 1024 * 1024
const readyWithinMs = 240_000

/** Time runs some seven times as fast as in earnest; the cluster on one machine is given twice as much. */
export function pace(profile: RigProfile): { readonly ackWaitMs: number; readonly staleMs: number } {
  return profile === 'single' ? { ackWaitMs: 4000, staleMs: 8000 } : { ackWaitMs: 8000, staleMs: 16_000 }
}

/** Longer than any fault, so that a gateway that comes back finds its files as it left them. */
const giveUpSeconds = 60

/** How often something is tried again, and how many may die of it, is as shipped; only the pauses are as hurried as the rest. */
const retryIntervals = '0.7,2,6'

function settingsOf(profile: RigProfile): Record<string, string> {
  const { ackWaitMs, staleMs } = pace(profile)
  return {
    RECOGNISER: 'scripted',
    LOG_LEVEL: 'warn',
    METRICS_PORT: '0',
    NATS_REPLICAS: profile === 'single' ? '1' : '3',
    SHUTDOWN_SECONDS: '2',
    SPOOL_RESERVE_BYTES: '0',
    ACK_WAIT_MS: String(ackWaitMs),
    STALE_MS: String(staleMs),
    SWEEP_MS: '1000',
    CHUNK_RETRY_INTERVALS: retryIntervals,
    FILE_RETRY_INTERVALS: retryIntervals,
    CHUNK_DEADLINE_SECONDS: '15',
    WORKER_FILE_SLOTS: String(slots.files),
    WORKER_CHUNK_SLOTS: String(slots.chunks),
    GATEWAY_LEASE_MS: '4000',
    GATEWAY_GIVE_UP_SECONDS: String(giveUpSeconds),
    FILE_WINDOW: '4',
    BATCH_WINDOW: '3',
  }
}

/** Nothing of it is left when it could not be started. */
export async function startRig(options: RigOptions): Promise<Rig> {
  const { folder, profile } = options
  await mkdir(join(folder, 'logs'))
  await mkdir(join(folder, 'clocks'))
  const disk = await openDisk(join(folder, 'disk'), diskBytes)
  // what kill -9 leaves is the same in memory, and a disk that others use does not slow the brokers down
  const stores = await openDisk(join(folder, 'brokers'), storeBytes)
  const broker = await startBroker({ folder: stores.folder, logs: join(folder, 'logs') }, profile === 'single' ? 1 : 3)
  const issuer = await openDevelopmentIssuer({ folder: join(folder, 'identity'), nodeEnv: 'test', clock: systemClock })
  const release = options.isMixed ? await buildLastRelease(await emptyFolder(folder, 'release')) : undefined
  const parts = { ...options, disk, broker, release }
  const gateways = await Promise.all(Array.from({ length: gatewayCount }, (_, index) => gatewayOf(parts, index)))
  const workers = await Promise.all(Array.from({ length: workerCount }, (_, index) => workerOf(parts, index)))
  const roles: readonly RigRole[] = [...gateways, ...workers]
  const close = async (): Promise<void> => {
    await Promise.all(roles.map((role) => role.kill9()))
    await broker.close()
    await Promise.all(roles.flatMap((role) => role.links.map((link) => link.close())))
    await disk.close()
    await stores.close()
  }
  const links = [...broker.links, ...roles.flatMap((role) => role.links)]
  const heal = async (): Promise<void> => {
    for (const link of links) link.heal()
    for (const node of broker.nodes) node.thaw()
    for (const role of roles) {
      role.thaw()
      await role.setClock(0)
      role.up()
    }
    await Promise.all([disk.drain(), stores.drain()])
    await disk.hasten()
    await disk.bringStoreBack()
    await Promise.all(roles.map((role) => role.ready(readyWithinMs)))
  }
  try {
    // the first one makes the streams, the others find them
    gateways[0]?.up()
    await gateways[0]?.ready(readyWithinMs)
    await heal()
  } catch (error) {
    await close()
    throw error
  }
  return {
    broker,
    disk,
    stores,
    gateways,
    workers,
    linksTo: (node) => roles.map((role) => role.links[broker.nodes.indexOf(node)]!),
    tokenOf: (user) => issuer.sign({ user }),
    heal,
    close,
  }
}

interface Parts extends RigOptions {
  readonly disk: Disk
  readonly broker: Broker
  /** The program of the last release, where it takes part. */
  readonly release: string | undefined
}

async function emptyFolder(parent: string, name: string): Promise<string> {
  const folder = join(parent, name)
  await mkdir(folder)
  return folder
}

async function gatewayOf(parts: Parts, index: number): Promise<Gateway> {
  const name = `gateway-${index + 1}`
  const port = await freePort()
  const dataDir = join(parts.disk.folder, name)
  await cp(join(parts.folder, 'identity'), join(dataDir, 'identity'), { recursive: true })
  // the first makes the streams, and an upgrade does that before anything else
  const vaak = (index === gatewayCount - 1 ? parts.release : undefined) ?? program('infra/cli/vaak.js')
  const role = await roleOf(
    parts,
    { name, kind: 'gateway', dataDir, program: [vaak, 'gateway'] },
    { PORT: String(port) },
  )
  const spoolFolder = join(dataDir, 'spool')
  return {
    ...role,
    url: `http://127.0.0.1:${port}`,
    spoolFolder,
    loseDisk: () => rm(spoolFolder, { recursive: true, force: true }),
  }
}

function workerOf(parts: Parts, index: number): Promise<RigRole> {
  const name = `worker-${index + 1}`
  const { broken, release } = parts
  const current = [program('test/chaos/rig-worker.js'), parts.disk.slowSign, ...(broken ? [broken] : [])]
  const isOld = release !== undefined && index === workerCount - 1
  return roleOf(parts, {
    name,
    kind: 'worker',
    dataDir: join(parts.folder, name),
    program: isOld ? [release, 'worker'] : current,
  })
}

interface RoleParts {
  readonly name: string
  readonly kind: RigRole['kind']
  readonly dataDir: string
  readonly program: readonly string[]
}

async function roleOf(parts: Parts, input: RoleParts, more: Record<string, string> = {}): Promise<RigRole> {
  const { broker, disk, folder, profile, events } = parts
  const links = await Promise.all(broker.nodes.map((node) => openLink(node.port)))
  const clockFile = join(folder, 'clocks', input.name)
  await writeFile(clockFile, '0')
  return aRole({
    ...input,
    links,
    events,
    clockFile,
    logFile: join(folder, 'logs', `${input.name}.log`),
    environment: {
      ...settingsOf(profile),
      NATS_URL: links.map(({ port }) => `nats://127.0.0.1:${port}`).join(','),
      NATS_USER: broker.user,
      NATS_PASSWORD: broker.pass,
      DATA_DIR: input.dataDir,
      STORAGE_URL: `disk:${join(disk.folder, 'objects')}`,
      ...more,
    },
  })
}

function program(path: string): string {
  return fileURLToPath(new URL(`../../../${path}`, import.meta.url))
}

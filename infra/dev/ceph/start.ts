import { execFile } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'

import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'

import { freePort } from '../../process/free-port.ts'
import { ensurePackages } from '../debian-packages.ts'
import { cephConfiguration } from './configuration.ts'
import { startDaemon } from './daemon.ts'
import type { Daemon } from './daemon.ts'

const run = promisify(execFile)
const commandTimeoutMs = 30_000
const readyWithinMs = 60_000
const pollMs = 50

/** `setpriv` is part of every Debian; the rest comes with the packages. */
const cephPackages = {
  name: 'Ceph',
  packages: ['radosgw', 'ceph-mon', 'ceph-osd'],
  programs: ['radosgw', 'radosgw-admin', 'ceph-mon', 'ceph-osd', 'ceph', 'monmaptool', 'setpriv'],
}

export interface CephGateway {
  readonly endpoint: string
  readonly bucket: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  pids(): Record<string, number>
  /** As a crash does it. What was stored stays, and `startGateway` brings it back at the same address. */
  killGateway(): Promise<void>
  startGateway(): Promise<void>
  stop(): Promise<void>
}

/** A real S3 server of one's own on loopback: about three seconds once the packages are there. */
export async function startCeph(folder: string): Promise<CephGateway> {
  await ensurePackages(cephPackages)
  const plan = { folder, clusterId: randomUUID(), monitorPort: await freePort(), gatewayPort: await freePort() }
  const configuration = join(folder, 'ceph.conf')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await writeFile(configuration, cephConfiguration(plan))

  const running = new Map<string, Daemon>()
  const stop = async (): Promise<void> => {
    for (const name of ['gateway', 'store', 'monitor']) await running.get(name)?.stop()
  }
  const endpoint = `http://127.0.0.1:${plan.gatewayPort}`
  const startGateway = async (): Promise<void> => {
    const gateway = await startDaemon('radosgw', ['--no-mon-config', '-c', configuration, '-n', 'client.gateway', '-f'])
    running.set('gateway', gateway)
    await answers(endpoint, gateway, folder)
  }

  try {
    running.set('monitor', await startMonitor(plan, configuration))
    running.set('store', await startStore(configuration))
    await startGateway()
    const keys = await createUser(configuration)
    const bucket = await createBucket(endpoint, keys)
    return {
      endpoint,
      bucket,
      ...keys,
      pids: () => Object.fromEntries(Array.from(running, ([name, daemon]) => [name, daemon.pid])),
      killGateway: async () => running.get('gateway')?.stop('SIGKILL'),
      startGateway,
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

async function startMonitor(
  plan: { folder: string; clusterId: string; monitorPort: number },
  configuration: string,
): Promise<Daemon> {
  const map = join(plan.folder, 'monmap')
  const address = `[v2:127.0.0.1:${plan.monitorPort}]`
  await mkdir(join(plan.folder, 'mon'))
  await command('monmaptool', ['--create', '--addv', 'a', address, '--fsid', plan.clusterId, map])
  await command('ceph-mon', ['-c', configuration, '--mkfs', '-i', 'a', '--monmap', map])
  return startDaemon('ceph-mon', ['-c', configuration, '-i', 'a', '-f'])
}

async function startStore(configuration: string): Promise<Daemon> {
  const id = randomUUID()
  await mkdir(join(configuration, '../osd'))
  await command('ceph', ['-c', configuration, 'osd', 'new', id])
  await command('ceph-osd', ['-c', configuration, '-i', '0', '--mkfs', '--osd-uuid', id])
  return startDaemon('ceph-osd', ['-c', configuration, '-i', '0', '-f'])
}

async function createUser(configuration: string): Promise<{ accessKeyId: string; secretAccessKey: string }> {
  const keys = { accessKeyId: randomBytes(10).toString('hex'), secretAccessKey: randomBytes(20).toString('hex') }
  const user = [
    '--uid=vaak',
    '--display-name=vaak',
    `--access-key=${keys.accessKeyId}`,
    `--secret=${keys.secretAccessKey}`,
  ]
  await command('radosgw-admin', [
    '--no-mon-config',
    '-c',
    configuration,
    '-n',
    'client.gateway',
    'user',
    'create',
    ...user,
  ])
  return keys
}

async function createBucket(
  endpoint: string,
  credentials: { accessKeyId: string; secretAccessKey: string },
): Promise<string> {
  const client = new S3Client({ endpoint, region: 'us-east-1', forcePathStyle: true, credentials })
  const bucket = 'vaak'
  await client.send(new CreateBucketCommand({ Bucket: bucket }))
  client.destroy()
  return bucket
}

async function answers(endpoint: string, gateway: Daemon, folder: string): Promise<void> {
  const deadline = performance.now() + readyWithinMs
  while (performance.now() < deadline) {
    const ended = gateway.ended()
    if (ended !== undefined) throw new Error(`${ended}; its log is in ${folder}`)
    const response = await fetch(endpoint, { signal: AbortSignal.timeout(commandTimeoutMs) }).catch(() => undefined)
    await response?.body?.cancel()
    if (response?.ok) return
    await pause(pollMs)
  }
  throw new Error(`the Ceph gateway did not answer within ${readyWithinMs} ms; its log is in ${folder}`)
}

async function command(program: string, args: readonly string[]): Promise<void> {
  await run(program, args, { timeout: commandTimeoutMs })
}

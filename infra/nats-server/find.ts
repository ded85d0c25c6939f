import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { delimiter, join, resolve } from 'node:path'

import type { Log } from '../../actors/ports.ts'
import type { Progress, StartProgress } from '../telemetry/progress.ts'
import { fetchIntoCache, takeFromCache } from './cache.ts'
import type { Found } from './cache.ts'
import { fetchFromDebian } from './fetch-debian.ts'
import { fetchFromRelease } from './fetch-release.ts'
import { isRecentEnough, minimumVersion, versionOf } from './version.ts'

export interface FindNatsServerOptions {
  /** NATS_SERVER_BIN. When given, it is this one or an error. */
  readonly configured?: string | undefined
  /** PATH, of which the first nats-server that is recent enough is taken. */
  readonly searchPath: string
  readonly cacheDir: string
  readonly log: Log
  readonly startProgress: StartProgress
  /** Where packages put it besides PATH. */
  readonly systemFolders?: readonly string[]
  readonly sources?: readonly ServerSource[]
}

export interface FoundNatsServer extends Found {
  readonly from: 'configured' | 'path' | 'cache' | ServerSource['name']
}

export interface ServerSource {
  readonly name: 'debian' | 'release'
  fetch(into: string, progress: Progress): Promise<string>
}

const officialSources: readonly ServerSource[] = [
  { name: 'debian', fetch: fetchFromDebian },
  { name: 'release', fetch: (into, progress) => fetchFromRelease(into, progress) },
]

/** Debian installs it there, where the PATH of an ordinary user does not lead. */
const usualSystemFolders = ['/usr/local/sbin', '/usr/sbin']

/** A nats-server for this machine, fetched once if it has none. Reads in the order in which an operator would expect. */
export async function findNatsServer(options: FindNatsServerOptions): Promise<FoundNatsServer> {
  if (options.configured) return { ...(await configured(options.configured)), from: 'configured' }
  const installed = await onPath(options)
  if (installed) return { ...installed, from: 'path' }
  const folder = join(options.cacheDir, 'nats-server')
  const cached = await takeFromCache(folder, (message, facts) => options.log.warn(message, facts))
  if (cached) return { ...cached, from: 'cache' }
  return fetchFromAny(folder, options)
}

async function configured(path: string): Promise<Found> {
  const version = await versionOf(resolve(path)).catch((error: unknown) => {
    throw new Error(`NATS_SERVER_BIN is ${path}, which does not work as a nats-server: ${reasonOf(error)}`)
  })
  if (isRecentEnough(version)) return { path: resolve(path), version }
  throw new Error(`NATS_SERVER_BIN is ${path}, which is version ${version}; at least ${minimumVersion} is needed`)
}

async function onPath({ searchPath, systemFolders, log }: FindNatsServerOptions): Promise<Found | undefined> {
  const onSearchPath = searchPath.split(delimiter).filter(Boolean)
  const folders = new Set([...onSearchPath, ...(systemFolders ?? usualSystemFolders)])
  for (const folder of folders) {
    const path = resolve(folder, 'nats-server')
    const version = await access(path, constants.X_OK).then(
      () => versionOf(path).catch(() => 'unusable'),
      () => undefined,
    )
    if (version === undefined) continue
    if (version !== 'unusable' && isRecentEnough(version)) return { path, version }
    log.info('an installed nats-server is passed over', { path, version, minimumVersion })
  }
  return undefined
}

async function fetchFromAny(folder: string, options: FindNatsServerOptions): Promise<FoundNatsServer> {
  const reasons: string[] = []
  for (const source of options.sources ?? officialSources) {
    const progress = options.startProgress(`fetching nats-server (${source.name})`)
    try {
      const fetched = await fetchIntoCache(folder, (into) => source.fetch(into, progress))
      progress.done()
      options.log.info('nats-server fetched', { ...fetched, from: source.name })
      return { ...fetched, from: source.name }
    } catch (error) {
      progress.fail()
      reasons.push(`${source.name}: ${reasonOf(error)}`)
    }
  }
  throw new Error(
    `No nats-server ${minimumVersion} or later is installed, and none could be fetched (${reasons.join(' | ')}). ` +
      'Install the package nats-server of your system, or download it from nats.io and set NATS_SERVER_BIN to its path.',
  )
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

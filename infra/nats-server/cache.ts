import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'

import { compareVersions, isRecentEnough, versionOf } from './version.ts'

/**
 * Programs kept under their own hash, `nats-server-<version>-<platform>-<sha256>`: the program and the record of what it
 * must hash to appear in one rename, so processes that fetch at the same time, or die while fetching, cannot mislead others.
 */
export interface Found {
  readonly path: string
  readonly version: string
}

const namePattern = /^nats-server-(\d\S*)-([a-z0-9]+-[a-z0-9]+)-([0-9a-f]{64})$/
const workPrefix = '.fetch-'
const abandonedAfterMs = 60 * 60 * 1000
const platform = `${process.platform}-${process.arch}`

export type Complain = (message: string, facts: object) => void

/** The newest kept program that is still what was put there. A damaged one stays: the next fetch puts a good one over it. */
export async function takeFromCache(folder: string, complain: Complain): Promise<Found | undefined> {
  const kept = (await namesIn(folder))
    .map((name) => ({ name, parts: namePattern.exec(name) }))
    .flatMap(({ name, parts }) => (parts ? [{ name, version: parts[1]!, platform: parts[2]!, sha256: parts[3]! }] : []))
    .filter((entry) => entry.platform === platform && isRecentEnough(entry.version))
    .sort((one, other) => compareVersions(other.version, one.version))
  for (const { name, version, sha256 } of kept) {
    const path = join(folder, name)
    const actual = await sha256Of(path).catch(() => 'unreadable')
    if (actual === sha256) return { path, version }
    complain('the cached nats-server is damaged and is not used', { path, actual })
  }
  return undefined
}

/** Lets `fetch` work in a folder of its own, tries what it brought, and keeps it. */
export async function fetchIntoCache(folder: string, fetch: (into: string) => Promise<string>): Promise<Found> {
  await mkdir(folder, { recursive: true })
  await removeAbandoned(folder)
  const work = await mkdtemp(join(folder, workPrefix))
  try {
    // apt lets an unprivileged user of its own do the downloading, where that user can reach the folder.
    await chmod(work, 0o755)
    const fetched = await fetch(work)
    await chmod(fetched, 0o755)
    const version = await versionOf(fetched)
    if (!isRecentEnough(version)) throw new Error(`what was fetched is nats-server ${version}, which is too old`)
    const path = join(folder, `nats-server-${version}-${platform}-${await sha256Of(fetched)}`)
    await rename(fetched, path)
    return { path, version }
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

async function removeAbandoned(folder: string): Promise<void> {
  for (const name of await namesIn(folder)) {
    if (!name.startsWith(workPrefix)) continue
    const path = join(folder, name)
    const changed = await stat(path).catch(() => undefined)
    if (changed && Date.now() - changed.mtimeMs > abandonedAfterMs) await rm(path, { recursive: true, force: true })
  }
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => [])
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

import { mkdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'

import { jetstreamManager } from '@nats-io/jetstream'
import type { NatsConnection } from 'nats'

import { codeOf } from '../../process/error-code.ts'
import { syncFolder } from '../../blobs/durable-folders.ts'
import { writeDurably } from '../../spool/durable.ts'
import type { StartProgress } from '../../telemetry/progress.ts'
import { buckets } from '../topology/topology.ts'
import type { Topology } from '../topology/topology.ts'
import { writeHashed } from './hashed-file.ts'
import { linesAfter } from './later.ts'
import { BadBackup, backupForm, laterFile, manifestFile, partFile } from './manifest.ts'
import type { BackupManifest, BackupPart } from './manifest.ts'
import type { StreamFacts } from './stream-api.ts'
import { takeSnapshot } from './take-snapshot.ts'

interface BackUpOptions {
  readonly connection: NatsConnection
  readonly plan: Topology
  readonly folder: string
  /** Of Vaak. */
  readonly version: string
  readonly takenAtMs: number
  readonly startProgress: StartProgress
}

/** What it holds are hashes of keys and the secrets that others are signed with. */
const folderMode = 0o700

/** Writes every stream of the plan that is worth it to a folder that appears when it is whole. Whoever runs goes on meanwhile. */
export async function backUp(options: BackUpOptions): Promise<BackupManifest> {
  const folder = resolve(options.folder)
  const partial = `${folder}.partial`
  await refuseToOverwrite(folder)
  await mkdir(dirname(folder), { recursive: true })
  await mkdir(partial, { mode: folderMode }).catch((error: unknown) => {
    if (codeOf(error) !== 'EEXIST') throw error
    throw new BadBackup(`${partial} is there: another backup runs, or one was interrupted. Remove it and try again.`)
  })
  try {
    const parts: BackupPart[] = []
    for (const stream of inOrder(options.plan)) parts.push(await writePart(options, partial, stream))
    const takenAt = new Date(options.takenAtMs).toISOString()
    const manifest: BackupManifest = { form: backupForm, version: options.version, takenAt, parts }
    await writeDurably(join(partial, manifestFile), JSON.stringify(manifest, null, 2))
    await rename(partial, folder)
    await syncFolder(dirname(folder))
    return manifest
  } catch (error) {
    await rm(partial, { recursive: true, force: true })
    throw error
  }
}

async function refuseToOverwrite(folder: string): Promise<void> {
  const there = await stat(folder).catch((error: unknown) => {
    if (codeOf(error) !== 'ENOENT') throw error
  })
  if (there) throw new BadBackup(`${folder} is there already, and a backup overwrites nothing. Choose another name.`)
}

/**
 * Streams are taken one after another, and who runs writes meanwhile. So what is owed is older than what it is owed to: messages that were
 * done since come twice, which harms nobody, and a batch that is behind its runs asks them again. The other way round a batch would have
 * ended whose run had not. And a file that refers to another's object is among those that hold it.
 */
const lastOnes: readonly string[] = [
  buckets.open,
  buckets.quotas,
  buckets.batches,
  buckets.members,
  buckets.runs,
  buckets.batchListing,
  buckets.listing,
  buckets.uploads,
  buckets.files,
  buckets.contents,
].map((bucket) => `KV_${bucket}`)

/** What vanishes in minutes is over before a backup of it could be of use. */
const leftOut = `KV_${buckets.sessions}`

function inOrder({ streams }: Topology): string[] {
  const names = streams.map(({ name }) => name).filter((name) => name !== leftOut)
  return [...names.filter((name) => !lastOnes.includes(name)), ...lastOnes.filter((name) => names.includes(name))]
}

async function writePart(options: BackUpOptions, folder: string, stream: string): Promise<BackupPart> {
  const { connection, startProgress } = options
  const progress = startProgress(stream)
  try {
    const path = join(folder, partFile(stream))
    const part = await writeHashed(path, (file) =>
      takeSnapshot(connection, stream, async (piece, { state }) => {
        await file.write(piece)
        progress.update(file.sizeBytes() / Math.max(1, state.bytes))
      }),
    )
    // elsewhere no message takes the place of another
    const isOfRecords = part.config.max_msgs_per_subject === 1
    const later = isOfRecords ? await writeLater(connection, join(folder, laterFile(stream)), part) : undefined
    progress.done()
    return { stream, ...part, ...(later && { later }) }
  } catch (error) {
    progress.fail()
    throw new Error(`The stream ${stream} could not be backed up`, { cause: error })
  }
}

/** What was written since the snapshot began; nothing where nothing was. */
async function writeLater(
  connection: NatsConnection,
  path: string,
  { config, state }: StreamFacts,
): Promise<BackupPart['later']> {
  const manager = await jetstreamManager(connection)
  const { sizeBytes, sha256 } = await writeHashed(path, async (file) => {
    for await (const line of linesAfter(manager, config.name, state.last_seq)) await file.write(Buffer.from(line))
  })
  if (sizeBytes > 0) return { sha256 }
  await rm(path)
}

import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'

import { jetstream } from '@nats-io/jetstream'
import type { JetStreamManager } from '@nats-io/jetstream'
import type { NatsConnection } from 'nats'

import type { StartProgress } from '../../telemetry/progress.ts'
import { publishLater } from './later.ts'
import { checkPart, laterFile, partFile, readManifest } from './manifest.ts'
import type { BackupManifest, BackupPart } from './manifest.ts'
import { putSnapshot } from './put-snapshot.ts'
import { snapshotChunkBytes } from './stream-api.ts'

/** What a restore would do, for a person to read before it is done. */
export interface RestorePlan {
  readonly folder: string
  readonly manifest: BackupManifest
  /** Streams of the backup that the broker has already. */
  readonly inTheWay: readonly { readonly stream: string; readonly messages: number }[]
}

interface RestoreOptions {
  readonly connection: NatsConnection
  readonly manager: JetStreamManager
  /** The broker may be another one than the one that was backed up. */
  readonly replicas: number
  readonly startProgress: StartProgress
}

/** Reads all of the backup and compares it with its manifest; changes nothing. */
export async function planRestore(manager: JetStreamManager, folder: string): Promise<RestorePlan> {
  const manifest = await readManifest(folder)
  for (const part of manifest.parts) await checkPart(folder, part)
  const wanted = new Set(manifest.parts.map(({ stream }) => stream))
  const inTheWay: { stream: string; messages: number }[] = []
  for await (const { config, state } of manager.streams.list())
    if (wanted.has(config.name)) inTheWay.push({ stream: config.name, messages: state.messages })
  return { folder, manifest, inTheWay }
}

/** Puts back every stream of the backup, in the place of those that are there. */
export async function restoreBackup(plan: RestorePlan, options: RestoreOptions): Promise<void> {
  for (const { stream } of plan.inTheWay) await options.manager.streams.delete(stream)
  for (const part of plan.manifest.parts) await restorePart(plan.folder, part, options)
}

async function restorePart(folder: string, part: BackupPart, options: RestoreOptions): Promise<void> {
  const { stream, config, state, later } = part
  const progress = options.startProgress(stream)
  const path = join(folder, partFile(stream))
  const { size } = await stat(path)
  let sentBytes = 0
  const pieces = async function* read(): AsyncIterable<Uint8Array> {
    for await (const piece of createReadStream(path, { highWaterMark: snapshotChunkBytes })) {
      yield piece
      sentBytes += piece.length
      progress.update(sentBytes / Math.max(1, size))
    }
  }
  try {
    const facts = { config: { ...config, num_replicas: options.replicas }, state }
    await putSnapshot(options.connection, facts, pieces())
    const js = jetstream(options.connection)
    if (later) await publishLater({ js, manager: options.manager }, stream, join(folder, laterFile(stream)))
    progress.done()
  } catch (error) {
    progress.fail()
    throw new Error(`The stream ${stream} could not be restored; what was restored before it is there`, {
      cause: error,
    })
  }
}

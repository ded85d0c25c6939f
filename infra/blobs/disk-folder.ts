import { chmod, lstat, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'

import type { Log } from '../../actors/ports.ts'
import type { Room } from '../../actors/upload/ports.ts'
import { unlessFolderGone, unlessMissing } from './disk-classify.ts'
import { nameDurably } from './disk-naming.ts'
import { folderMode, makeFolder, makeFolderBelow } from './durable-folders.ts'
import { markName } from './identity.ts'
import type { MarkAccess, StoreIdentity } from './identity.ts'
import { stage } from './stage.ts'
import type { StagedSource } from './stage.ts'
import { openStaging, timeOfDisk } from './staging.ts'
import type { Staging } from './staging.ts'
import { createSyncedFolders } from './synced-folders.ts'
import type { SyncedFolders } from './synced-folders.ts'

/** A store on disk: where its objects are, where they are written before they get their name, and what it is known by. */
export interface DiskFolder {
  readonly root: string
  readonly staging: () => Promise<Staging>
  readonly identity: StoreIdentity
  readonly synced: SyncedFolders
  /** Absent: all that the disk has. */
  readonly room?: Room | undefined
}

/** Opened when it is first needed, which is after the store was seen: what is not there then may be made. */
export function lazyStaging(at: { folder: string; incoming: string; log: Log }): () => Promise<Staging> {
  let opening: Promise<Staging> | undefined
  const openOnce = async (): Promise<Staging> => {
    await unlessFolderGone(makeFolderBelow(at.folder, at.incoming))
    await chmod(at.incoming, folderMode)
    const staging = await openStaging(at.incoming, await timeOfDisk(at.incoming))
    if (staging.leftovers > 0) at.log.warn('removed half-written objects of a crash', { files: staging.leftovers })
    return staging
  }
  return () => {
    opening ??= openOnce().catch((error: unknown) => {
      opening = undefined
      throw error
    })
    return opening
  }
}

export function diskMark(root: string, staging: () => Promise<Staging>): MarkAccess {
  const path = join(root, markName)
  const read = (): Promise<string | undefined> => readDiskMark(root)
  return {
    place: path,
    read,
    async create(name) {
      await makeFolder(root)
      await store(
        { root, staging, synced: createSyncedFolders() },
        { target: path, source: { bytes: Buffer.from(name) } },
        { ifAbsent: true },
      )
      return (await read()) ?? name
    },
  }
}

export async function readDiskMark(root: string): Promise<string | undefined> {
  const text = await unlessMissing(readFile(join(root, markName), 'utf8'))
  return text?.trim()
}

export async function store(
  { root, staging, synced, room }: Pick<DiskFolder, 'root' | 'staging' | 'synced' | 'room'>,
  { target, source }: { target: string; source: StagedSource },
  { ifAbsent = false, signal }: { ifAbsent?: boolean; signal?: AbortSignal } = {},
): Promise<'stored' | 'exists'> {
  const staged = (await staging()).nextPath()
  try {
    await unlessFolderGone(stage(source, staged, { signal, room }))
    signal?.throwIfAborted()
    return await nameDurably({ staged, target, root, synced, ifAbsent })
  } finally {
    // Also after a success: rename(2) leaves both names when they are links to one file.
    await unlessMissing(rm(staged))
  }
}

/** What is not found is missing only if the store was there before and after the look: its disk may come and go. */
export async function lookUp<T>(folder: DiskFolder, look: () => Promise<T>): Promise<T> {
  const found = await look()
  if (found) return found
  await seen(folder)
  const again = await look()
  if (!again) await seen(folder)
  return again
}

/** Rejects unless the store is here. */
export async function seen({ root, identity }: DiskFolder): Promise<void> {
  await identity.verify().catch(async (error: unknown) => {
    await unlessFolderGone(lstat(root))
    throw error
  })
}

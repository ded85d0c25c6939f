import { chmod, link, lstat, open, readdir, rm, unlink } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Readable } from 'node:stream'

import { isRetryable, terminal } from '../../actors/failure.ts'
import type { Log, StoredObject } from '../../actors/ports.ts'
import type { ObjectStorage } from '../../actors/upload/ports.ts'
import { codeOf } from '../process/error-code.ts'
import { classify, unlessFolderGone, unlessMissing } from './disk-classify.ts'
import { diskMark, lazyStaging, lookUp, seen, store } from './disk-folder.ts'
import type { DiskFolder } from './disk-folder.ts'
import { objectsBelow } from './disk-listing.ts'
import { folderMode, prune, removeEmpty } from './durable-folders.ts'
import { knownHere, identifyStore } from './identity.ts'
import type { KnownStore } from './identity.ts'
import { checkKey, checkPrefix } from './key.ts'
import { checkRange, noBytes, relay } from './reading.ts'
import type { Range } from './reading.ts'
import { openRoom } from './room.ts'
import { stage } from './stage.ts'
import { createSyncedFolders } from './synced-folders.ts'

const readBytes = 256 * 1024

interface DiskOptions {
  readonly folder: string
  readonly log: Log
  /** What the whole service knows of the store in this folder; without it, what this process has seen. */
  readonly known?: KnownStore
  /** Of its disk, what objects never use; 0 unless told. */
  readonly reserveBytes?: number
}

/**
 * Objects as files below `folder`, which only this adapter changes. Several processes may share it. One that is known and not there
 * is waited for: its folder is never made a second time.
 */
export async function openDiskBlobs(options: DiskOptions): Promise<ObjectStorage> {
  const { log, known = knownHere(), reserveBytes = 0 } = options
  const path = resolve(options.folder)
  const root = rootOf(path)
  const staging = lazyStaging({ folder: path, incoming: join(path, 'incoming'), log })
  const identity = identifyStore({ access: diskMark(root, staging), known, log })
  const room = reserveBytes > 0 ? openRoom({ folder: path, reserveBytes }) : undefined
  const folder: DiskFolder = { root, staging, identity, synced: createSyncedFolders(), room }
  try {
    await classified(() => openFolder(folder))
  } catch (error) {
    if (!isRetryable(error) || (await known.recall()) === undefined) throw error
    log.warn('storage is away; it is looked for until it is back', { folder: path, error })
  }
  return diskBlobs(folder)
}

/** Where the objects of a folder are. */
export function rootOf(folder: string): string {
  return join(folder, 'stored')
}

async function openFolder({ root, staging, identity }: DiskFolder): Promise<void> {
  await identity.verify()
  await chmod(root, folderMode)
  await staging()
}

function diskBlobs(folder: DiskFolder): ObjectStorage {
  const { root } = folder
  return {
    put: (key, source, options) =>
      classified(async () => {
        const target = pathOf(root, key)
        await seen(folder)
        return store(folder, { target, source }, options)
      }),
    write: (key, stream) =>
      classified(async () => {
        const target = pathOf(root, key)
        await seen(folder)
        await store(folder, { target, source: { stream } })
      }),
    open: (key, range = { start: 0 }) => classified(() => openObject(folder, key, range)),
    stat: (key) =>
      classified(async () => {
        const path = pathOf(root, key)
        const facts = await lookUp(folder, () => unlessMissing(lstat(path)))
        return facts?.isFile() ? { sizeBytes: facts.size } : undefined
      }),
    remove: (key) =>
      classified(async () => {
        const path = pathOf(root, key)
        const removed = await lookUp(folder, () => removeFile(path))
        await prune(root, dirname(path))
        return removed
      }),
    removeAll: (prefix) =>
      classified(async () => {
        checkPrefix(prefix)
        const path = join(root, prefix.slice(0, -1))
        const removed = await lookUp(folder, () => removeTree(path))
        await prune(root, dirname(path))
        return removed
      }),
    list(prefix) {
      checkPrefix(prefix)
      return list(folder, prefix)
    },
    // why it cannot be linked, or is not there, is told to who opens it instead
    linkTo: (key, path) =>
      link(pathOf(root, key), path).then(
        () => true,
        () => false,
      ),
    check: () => classified(() => checkWritable(folder)),
    close: async () => {},
  }
}

function pathOf(root: string, key: string): string {
  checkKey(key)
  return join(root, key)
}

async function* list(folder: DiskFolder, prefix: string): AsyncIterable<StoredObject> {
  try {
    await seen(folder)
    yield* objectsBelow(folder.root, prefix)
    // a disk that went meanwhile looks like one without objects
    await seen(folder)
  } catch (error) {
    throw classify(error)
  }
}

async function openObject(folder: DiskFolder, key: string, range: Range): Promise<Readable> {
  checkRange(range)
  const path = pathOf(folder.root, key)
  const file = await lookUp(folder, () => unlessMissing(open(path, 'r')))
  if (!file) throw terminal('not_found', 'There is no object with this key.')
  const { isObject, sizeBytes } = await inspect(file)
  const end = Math.min(range.end ?? sizeBytes, sizeBytes)
  if (isObject && end > range.start) return relay(file.createReadStream(streamOptions(range.start, end)), classify)
  await file.close()
  if (!isObject) throw terminal('not_found', 'There is no object with this key.')
  return noBytes()
}

async function checkWritable(folder: DiskFolder): Promise<void> {
  await seen(folder)
  const probe = (await folder.staging()).nextPath()
  try {
    await unlessFolderGone(stage({ bytes: Buffer.from('check') }, probe))
  } finally {
    await unlessMissing(rm(probe))
  }
}

async function removeTree(folder: string): Promise<number> {
  let removed = 0
  for (const entry of (await unlessMissing(readdir(folder, { withFileTypes: true }))) ?? []) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) removed += await removeTree(path)
    else if (await removeFile(path)) removed += 1
  }
  await removeEmpty(folder)
  return removed
}

async function removeFile(path: string): Promise<boolean> {
  try {
    return (await unlessMissing(unlink(path).then(() => true))) ?? false
  } catch (error) {
    // Linux says EISDIR, POSIX says EPERM: a folder is not an object.
    if ((codeOf(error) === 'EISDIR' || codeOf(error) === 'EPERM') && (await lstat(path)).isDirectory()) return false
    throw error
  }
}

async function inspect(file: FileHandle): Promise<{ isObject: boolean; sizeBytes: number }> {
  try {
    const facts = await file.stat()
    return { isObject: facts.isFile(), sizeBytes: facts.size }
  } catch (error) {
    await file.close()
    throw error
  }
}

/**
 * Node counts the last byte in, the port does not. It takes as much memory for every read as it may read: of small objects no more than
 * they have, or what is read costs less than collecting what was taken for it.
 */
function streamOptions(start: number, end: number) {
  return { start, end: end - 1, highWaterMark: Math.min(readBytes, end - start) }
}

async function classified<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw classify(error)
  }
}

import { chmod, lstat, open, readdir, rm, unlink } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Readable } from 'node:stream'

import { retryable, terminal } from '../../actors/failure.ts'
import type { Blobs, BlobSource, Log } from '../../actors/ports.ts'
import { codeOf } from '../process/error-code.ts'
import { classify, unlessMissing } from './disk-classify.ts'
import { nameDurably } from './disk-naming.ts'
import { folderMode, makeFolder, prune, removeEmpty } from './durable-folders.ts'
import { checkKey, checkPrefix } from './key.ts'
import { checkRange, isEmpty, noBytes, relay } from './reading.ts'
import type { Range } from './reading.ts'
import { stage } from './stage.ts'
import { openStaging, timeOfDisk } from './staging.ts'
import type { Staging } from './staging.ts'

const readBytes = 256 * 1024

/** Objects as files below `folder`, which only this adapter changes. Several processes may share it. */
export async function openDiskBlobs(options: { folder: string; log: Log }): Promise<Blobs> {
  const folder = resolve(options.folder)
  const root = join(folder, 'stored')
  const incoming = join(folder, 'incoming')
  const staging = await classified(async () => {
    for (const each of [root, incoming]) {
      await makeFolder(each)
      await chmod(each, folderMode)
    }
    return openStaging(incoming, await timeOfDisk(incoming))
  })
  if (staging.leftovers > 0) options.log.warn('removed half-written objects of a crash', { files: staging.leftovers })
  return diskBlobs(root, staging)
}

function diskBlobs(root: string, staging: Staging): Blobs {
  const folder: DiskFolder = { root, staging }
  return {
    put: (key, source, options) => classified(() => put(folder, { target: pathOf(root, key), source }, options)),
    open: (key, range = { start: 0 }) => classified(() => openObject(root, key, range)),
    stat: (key) =>
      classified(async () => {
        const path = pathOf(root, key)
        const facts = await lookUp(root, () => unlessMissing(lstat(path)))
        return facts?.isFile() ? { sizeBytes: facts.size } : undefined
      }),
    remove: (key) =>
      classified(async () => {
        const path = pathOf(root, key)
        const removed = await lookUp(root, () => removeFile(path))
        await prune(root, dirname(path))
        return removed
      }),
    removeAll: (prefix) =>
      classified(async () => {
        checkPrefix(prefix)
        const path = join(root, prefix.slice(0, -1))
        const removed = await lookUp(root, () => removeTree(path))
        await prune(root, dirname(path))
        return removed
      }),
    check: () => classified(() => checkWritable(folder)),
    close: async () => {},
  }
}

interface DiskFolder {
  readonly root: string
  readonly staging: Staging
}

function pathOf(root: string, key: string): string {
  checkKey(key)
  return join(root, key)
}

async function put(
  { root, staging }: DiskFolder,
  { target, source }: { target: string; source: BlobSource },
  { ifAbsent = false, signal }: { ifAbsent?: boolean; signal?: AbortSignal } = {},
): Promise<'stored' | 'exists'> {
  const staged = staging.nextPath()
  try {
    await unlessFolderGone(stage(source, staged, signal))
    signal?.throwIfAborted()
    return await nameDurably({ staged, target, root, ifAbsent })
  } finally {
    // Also after a success: rename(2) leaves both names when they are links to one file.
    await unlessMissing(rm(staged))
  }
}

async function openObject(root: string, key: string, range: Range): Promise<Readable> {
  checkRange(range)
  const path = pathOf(root, key)
  const file = await lookUp(root, () => unlessMissing(open(path, 'r')))
  if (!file) throw terminal('not_found', 'There is no object with this key.')
  const { isObject } = await inspect(file)
  if (isObject && !isEmpty(range)) return relay(file.createReadStream(streamOptions(range)), classify)
  await file.close()
  if (!isObject) throw terminal('not_found', 'There is no object with this key.')
  return noBytes()
}

async function checkWritable({ root, staging }: DiskFolder): Promise<void> {
  const probe = staging.nextPath()
  try {
    await unlessFolderGone(stage({ bytes: Buffer.from('check') }, probe))
    await checkRoot(root)
  } finally {
    await unlessMissing(rm(probe))
  }
}

/** What is not found is missing only if the folder was there before and after the look: its disk may come and go. */
async function lookUp<T>(root: string, look: () => Promise<T>): Promise<T> {
  await checkRoot(root)
  const found = await look()
  if (!found) await checkRoot(root)
  return found
}

async function checkRoot(root: string): Promise<void> {
  await unlessFolderGone(lstat(root))
}

/** An unmounted disk looks like this. Making the folder anew would hide it and fill the wrong disk. */
async function unlessFolderGone<T>(step: Promise<T>): Promise<T> {
  try {
    return await step
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' && codeOf(error) !== 'ENOTDIR') throw error
    throw retryable('storage_unavailable', 'The storage folder is gone; is its disk mounted?', error)
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

async function inspect(file: FileHandle): Promise<{ isObject: boolean }> {
  try {
    return { isObject: (await file.stat()).isFile() }
  } catch (error) {
    await file.close()
    throw error
  }
}

/** Node counts the last byte in, the port does not. */
function streamOptions({ start, end }: Range) {
  return { start, highWaterMark: readBytes, ...(end === undefined ? {} : { end: end - 1 }) }
}

async function classified<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw classify(error)
  }
}

import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'

import { isSidecarKey } from '../../actors/upload/sidecar.ts'
import { markName } from '../../infra/blobs/identity.ts'
import { codeOf } from '../../infra/process/error-code.ts'
import { spoolContent } from './spool-content.ts'

/** What a gateway has on disk below its DATA_DIR. */

/** Uploads that wait in the spool, or are still being received. */
export async function uploadsIn(dataDir: string): Promise<string[]> {
  return spoolContent(join(dataDir, 'spool'))
}

/** Paths of the recordings in storage on disk: without what is known of each, beside it. */
export async function recordingsIn(dataDir: string): Promise<string[]> {
  return (await objectsIn(dataDir)).filter((path) => !isSidecarKey(path))
}

/** Paths of the objects in storage on disk, half-written ones included, its mark not. */
export async function objectsIn(dataDir: string): Promise<string[]> {
  const entries = await readdir(join(dataDir, 'objects'), { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() && entry.name !== markName)
    .map((entry) => join(entry.parentPath, entry.name))
}

/** Whether any file of a folder, at whatever depth, has this text. */
export async function isOnDisk(folder: string, text: string): Promise<boolean> {
  for (const entry of await unlessGone(readdir(folder, { withFileTypes: true }), [])) {
    const path = join(folder, entry.name)
    const isIn = entry.isDirectory()
      ? await isOnDisk(path, text)
      : entry.isFile() && (await unlessGone(readFile(path), Buffer.alloc(0))).includes(text)
    if (isIn) return true
  }
  return false
}

/** What is looked at may be removed meanwhile. */
async function unlessGone<T>(read: Promise<T>, otherwise: T): Promise<T> {
  try {
    return await read
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return otherwise
    throw error
  }
}

import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'

import { isSidecarKey } from '../../actors/ids.ts'
import { markName } from '../../infra/blobs/identity.ts'
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
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    // a file may go while it is looked for
    const bytes = await (entry.isFile() ? readFile(join(entry.parentPath, entry.name)) : Buffer.alloc(0))
    if (bytes.includes(text)) return true
  }
  return false
}

import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

import { isUploadId } from '../../actors/ids.ts'
import { markName } from '../../infra/blobs/identity.ts'

/** What a gateway has on disk below its DATA_DIR. */

/** Uploads that wait in the spool, or are still being received. */
export async function uploadsIn(dataDir: string): Promise<string[]> {
  const names = await readdir(join(dataDir, 'spool'))
  return names.filter((name) => isUploadId(name.replace(/^incoming-/, '')))
}

/** Paths of the objects in storage on disk, half-written ones included, its mark not. */
export async function objectsIn(dataDir: string): Promise<string[]> {
  const entries = await readdir(join(dataDir, 'objects'), { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() && entry.name !== markName)
    .map((entry) => join(entry.parentPath, entry.name))
}

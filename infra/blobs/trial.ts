import { randomUUID } from 'node:crypto'
import { rm, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'

import type { ObjectStorage } from '../../actors/upload/ports.ts'
import { markName } from './identity.ts'
import { openAt } from './open.ts'
import type { StorageOptions } from './open.ts'
import { parseStorageUrl } from './storage-url.ts'

/** A store of its own within the place of another: what is tried there meets nobody's objects. */
export interface TrialStore {
  readonly storage: ObjectStorage
  /** Nothing of it is left. */
  readonly remove: () => Promise<void>
}

/** What the names of such places begin with. */
export const trialName = 'vaak-trial'

/** Where a folder is not there yet the trial is made above it, most likely on the same disk: the folder itself is not made. */
export async function openTrialStore(url: string, options: Omit<StorageOptions, 'knownAt'>): Promise<TrialStore> {
  const name = `${trialName}-${randomUUID()}`
  const location = parseStorageUrl(url)
  if (location.kind === 's3') {
    const storage = await openAt({ ...location, prefix: `${location.prefix ?? ''}${name}/` }, options)
    return {
      storage,
      async remove() {
        await storage.remove(markName)
        await storage.close()
      },
    }
  }
  const folder = join(await nearestFolder(resolve(location.folder ?? options.defaultFolder)), name)
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true })
  try {
    return { storage: await openAt({ kind: 'disk', folder }, options), remove }
  } catch (error) {
    await remove()
    throw error
  }
}

/** It, or the first above it that is there. */
export async function nearestFolder(folder: string): Promise<string> {
  const isThere = await stat(folder).then(
    (facts) => facts.isDirectory(),
    () => false,
  )
  return isThere || dirname(folder) === folder ? folder : nearestFolder(dirname(folder))
}

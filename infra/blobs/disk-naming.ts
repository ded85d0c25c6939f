import { link, lstat, rename } from 'node:fs/promises'
import { dirname } from 'node:path'

import { away, terminal } from '../../actors/failure.ts'
import { codeOf } from '../process/error-code.ts'
import { unlessFolderGone, unlessMissing } from './disk-classify.ts'
import { makeFolderBelow } from './durable-folders.ts'
import type { SyncedFolders } from './synced-folders.ts'

/** How often a put starts again because a removal took its folder away; each removal can cost it one round. */
const namingAttempts = 100

interface Naming {
  readonly staged: string
  readonly target: string
  readonly root: string
  readonly synced: SyncedFolders
  readonly ifAbsent: boolean
}

/** Gives a staged file its name for good. */
export async function nameDurably(naming: Naming): Promise<'stored' | 'exists'> {
  const folder = dirname(naming.target)
  for (let attempt = 1; attempt <= namingAttempts; attempt += 1) {
    try {
      await makeFolderBelow(naming.root, folder)
      const outcome = await nameOnce(naming)
      // An object that was there first may be a moment old, and the caller will rely on it just the same.
      await naming.synced.upTo(naming.root, folder)
      return outcome
    } catch (error) {
      if (codeOf(error) !== 'ENOENT' && codeOf(error) !== 'ENOTDIR') throw error
      // with the dot it must be a folder
      await unlessFolderGone(lstat(`${naming.root}/.`))
      // a folder of ours that was an ordinary file for a moment is none of them
      if (await leadsThroughFile(naming.root, folder))
        throw terminal('conflict', 'One of the parts of this key is an object.', error)
    }
  }
  throw away('storage_unavailable', `The object's folder was removed ${namingAttempts} times while it was stored.`)
}

async function leadsThroughFile(root: string, folder: string): Promise<boolean> {
  for (let each = folder; each !== root; each = dirname(each)) {
    const facts = await unlessMissing(lstat(each))
    if (facts) return !facts.isDirectory()
  }
  return false
}

async function nameOnce({ staged, target, ifAbsent }: Naming): Promise<'stored' | 'exists'> {
  if (!ifAbsent) {
    await rename(staged, target)
    return 'stored'
  }
  try {
    await link(staged, target)
    return 'stored'
  } catch (error) {
    if (codeOf(error) === 'EEXIST' && !(await unlessMissing(lstat(target)))?.isDirectory()) return 'exists'
    throw error
  }
}

import { mkdir, open, rmdir } from 'node:fs/promises'
import { dirname } from 'node:path'

import { codeOf } from '../process/error-code.ts'
import { unlessMissing } from './disk-classify.ts'

export const folderMode = 0o700

/** A new name survives a power cut only when the folder that holds it was synced, and that folder's name likewise. */
export async function makeFolder(folder: string): Promise<void> {
  const firstMade = await mkdir(folder, { recursive: true, mode: folderMode })
  if (firstMade !== undefined) await syncUpTo(dirname(firstMade), folder)
}

/** Makes `folder` and what is missing between, never `root`: where that is gone it rejects with ENOENT. */
export async function makeFolderBelow(root: string, folder: string): Promise<void> {
  if (folder === root) return
  try {
    await mkdir(folder, { mode: folderMode })
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return
    if (codeOf(error) !== 'ENOENT' || dirname(folder) === root) throw error
    await makeFolderBelow(root, dirname(folder))
    // once more from the start: a removal may have taken the parent away again
    await makeFolderBelow(root, folder)
  }
}

async function syncUpTo(root: string, folder: string): Promise<void> {
  for (const each of lineage(root, folder)) await unlessMissing(syncFolder(each))
}

/** Removes `folder` and its parents as far as they are empty, never `root`, and makes the removal durable. */
export async function prune(root: string, folder: string): Promise<void> {
  for (const each of lineage(root, folder)) {
    if (each !== root && (await removeEmpty(each))) continue
    if ((await unlessMissing(syncFolder(each).then(() => true))) === true) return
  }
}

/** True when the folder is gone afterwards. rmdir(2) refuses a folder that a concurrent put has just filled. */
export async function removeEmpty(folder: string): Promise<boolean> {
  try {
    await unlessMissing(rmdir(folder))
    return true
  } catch (error) {
    if (codeOf(error) === 'ENOTEMPTY' || codeOf(error) === 'EEXIST') return false
    throw error
  }
}

function lineage(root: string, folder: string): string[] {
  const folders = [folder]
  for (let each = folder; each !== root; each = dirname(each)) folders.push(dirname(each))
  return folders
}

/** A name that was made, changed or removed survives a power cut only after its folder was synced. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

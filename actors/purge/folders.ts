import { fileFolder, runFolder } from '../ids.ts'
import type { FileId } from '../ids.ts'
import type { Blobs } from '../ports.ts'
import type { Purge } from './state.ts'

/** A batch may have ten thousand files. */
const foldersAtOnce = 32

/** Of which the recording goes. */
export function uploadsOf({ fileIds, batchId, withFiles }: Purge): readonly FileId[] {
  return batchId === undefined || withFiles ? fileIds : []
}

/** The files that go wherever they are; of the others only what was made of them in one batch does, or nothing. */
export function wholeFilesOf(purge: Purge): readonly FileId[] {
  return purge.audioOnly ? [] : uploadsOf(purge)
}

/** What was made of them, also by who came late. Resolves with how many objects there were. */
export async function removeFolders(blobs: Blobs, purge: Purge): Promise<number> {
  const folders = foldersOf(purge)
  let count = 0
  for (let from = 0; from < folders.length; from += foldersAtOnce) {
    const removed = await Promise.all(folders.slice(from, from + foldersAtOnce).map((one) => blobs.removeAll(one)))
    count += removed.reduce((sum, one) => sum + one, 0)
  }
  return count
}

function foldersOf({ owner, fileIds, batchId, withFiles, audioOnly }: Purge): string[] {
  if (audioOnly) return []
  return fileIds.map((fileId) =>
    batchId === undefined || withFiles ? fileFolder({ owner, fileId }) : runFolder({ owner, fileId, batchId }),
  )
}

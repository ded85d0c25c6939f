import { fileEditsFolder, fileFolder, fileLinksFolder, fileSearchFolder } from '../ids.ts'
import type { FileId, RunRef } from '../ids.ts'
import { removeBatchQuestions } from '../inquiry/batch-questions.ts'
import type { Blobs } from '../ports.ts'
import { removeRunObjects } from '../run/remove-objects.ts'
import { removeBatchWords } from '../vocabulary/batch-words.ts'
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

/** What was made of them, also by who came late. Resolves with how many objects there were; what they were searched by, what was edited, and who may read them, is not counted. */
export async function removeFolders(blobs: Blobs, purge: Purge): Promise<number> {
  const { owner, fileIds, batchId, withFiles, audioOnly } = purge
  if (audioOnly) return 0
  if (batchId !== undefined) {
    await removeBatchWords(blobs, { owner, batchId })
    await removeBatchQuestions(blobs, { owner, batchId })
  }
  const remove = (fileId: FileId): Promise<number> =>
    batchId === undefined || withFiles
      ? removeFile(blobs, { owner, fileId })
      : removeRunObjects(blobs, { owner, fileId, batchId })
  let count = 0
  for (let from = 0; from < fileIds.length; from += foldersAtOnce) {
    const removed = await Promise.all(fileIds.slice(from, from + foldersAtOnce).map(remove))
    count += removed.reduce((sum, one) => sum + one, 0)
  }
  return count
}

async function removeFile(blobs: Blobs, file: Pick<RunRef, 'owner' | 'fileId'>): Promise<number> {
  const folders = [fileFolder(file), fileLinksFolder(file), fileSearchFolder(file), fileEditsFolder(file)]
  const [counted = 0] = await Promise.all(folders.map((folder) => blobs.removeAll(folder)))
  return counted
}

import { FailureError, away, terminal } from '../../actors/failure.ts'
import { codeOf } from '../process/error-code.ts'

const full = new Set(['ENOSPC', 'EDQUOT'])
const missing = new Set(['ENOENT', 'ENOTDIR'])
const occupied = new Set(['EISDIR', 'EEXIST', 'ENOTEMPTY'])
/** What an operator mends (rights, a read-only or failing disk) or what passes by itself (too many open files). */
const mendable = new Set([
  'EACCES',
  'EPERM',
  'EROFS',
  'EIO',
  'EMFILE',
  'ENFILE',
  'ESTALE',
  'ETIMEDOUT',
  'EBUSY',
  'ENODEV',
])

export function classify(error: unknown): Error {
  const code = codeOf(error)
  if (error instanceof FailureError) return error
  if (full.has(code))
    return away('storage_unavailable', 'The storage disk is full; free some room and try again.', error)
  if (missing.has(code)) return terminal('not_found', 'There is no object with this key.', error)
  if (occupied.has(code))
    return terminal('conflict', 'One of the parts of this key is an object, or its last part is a folder.', error)
  if (mendable.has(code))
    return away('storage_unavailable', `The storage folder cannot be used (${code}); the operator must look.`, error)
  return error instanceof Error ? error : new Error('the disk failed', { cause: error })
}

/** For steps that are done when there is nothing left to do them to. */
export async function unlessMissing<T>(step: Promise<T>): Promise<T | undefined> {
  try {
    return await step
  } catch (error) {
    if (missing.has(codeOf(error))) return undefined
    throw error
  }
}

/** An unmounted disk looks like this. Making the folder anew would hide it and fill the wrong disk. */
export async function unlessFolderGone<T>(step: Promise<T>): Promise<T> {
  try {
    return await step
  } catch (error) {
    if (!missing.has(codeOf(error))) throw error
    throw away('storage_unavailable', 'The storage folder is gone; is its disk mounted?', error)
  }
}

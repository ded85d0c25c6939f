import { open } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'

import { codeOf } from '../process/error-code.ts'

export interface SourceFile {
  readonly path: string
  readonly sizeBytes: number
}

/** The caller promised a file that no longer changes; one that is gone or of another size is a mistake of ours. */
export async function openSourceFile(source: SourceFile): Promise<FileHandle> {
  const file = await open(source.path, 'r').catch((error: unknown) => {
    if (codeOf(error) !== 'ENOENT') throw error
    throw new Error('the file to store is not there', { cause: error })
  })
  const { size } = await file.stat()
  if (size === source.sizeBytes) return file
  await file.close()
  throw new Error(`the file to store has ${size} bytes, not the ${source.sizeBytes} that were announced`)
}

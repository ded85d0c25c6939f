import { open, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { codeOf } from '../../infra/process/error-code.ts'

/** Two ways in which a disk goes away: its folder is no longer there, or is not what it was. Each resolves with the way back. */
export const outages = {
  vanished: async (folder: string): Promise<() => Promise<void>> => {
    await rename(folder, `${folder}.away`)
    return () => rename(`${folder}.away`, folder)
  },
  broken: async (folder: string): Promise<() => Promise<void>> => {
    await rename(folder, `${folder}.away`)
    await writeFile(folder, '')
    return async () => {
      await rm(folder)
      await rename(`${folder}.away`, folder)
    }
  },
}

const pieceBytes = 64 * 1024

/** Not a byte is left on a disk; resolves with the way to give them back. */
export async function fillDisk(disk: string): Promise<() => Promise<void>> {
  const path = join(disk, 'ballast')
  const file = await open(path, 'w')
  try {
    for (const piece = Buffer.alloc(pieceBytes); ;) await file.write(piece)
  } catch (error) {
    if (codeOf(error) !== 'ENOSPC') throw error
  } finally {
    await file.close()
  }
  return () => rm(path)
}

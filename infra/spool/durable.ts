import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

import { syncFolder } from '../blobs/durable-folders.ts'

/** Either the whole file is there after a crash, or none of it. */
export async function writeDurably(path: string, content: string): Promise<void> {
  const temporary = `${path}.new`
  await writeSynced(temporary, content)
  await rename(temporary, path)
  await syncFolder(dirname(path))
}

/** The bytes are safe from a power cut, the name when its folder is. */
export async function writeSynced(path: string, content: string): Promise<void> {
  const handle = await open(path, 'w', 0o600)
  try {
    await handle.writeFile(content)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** A file of which the name is all that it says. */
export async function markDurably(path: string): Promise<void> {
  const handle = await open(path, 'w', 0o600)
  await handle.close()
  await syncFolder(dirname(path))
}

export async function removeDurably(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true })
  await syncFolder(dirname(path))
}

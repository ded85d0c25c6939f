import { readdir } from 'node:fs/promises'

import { isUploadId } from '../../actors/ids.ts'

/** Uploads that wait in a spool, and those that are being received. */
export async function spoolContent(folder: string): Promise<string[]> {
  const names = await readdir(folder)
  return names.filter((name) => name.startsWith('incoming-') || isUploadId(name))
}

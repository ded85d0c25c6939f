import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { isUploadId } from '../../actors/ids.ts'
import type { Manifest } from '../../actors/upload/state.ts'
import { codeOf } from '../process/error-code.ts'
import { removeDurably, writeDurably } from './durable.ts'
import { manifestName } from './spool.ts'

/**
 * For a broker that knows less than it did: to a gateway a record that is missing means that its file was deleted, and it would discard what
 * only its spool still has. Afterwards its uploads are as they were when they were accepted, and their records are made again by
 * the next start. Their idempotency keys are gone with the broker. Resolves with how many uploads there were. Nobody may work on the folder.
 */
export async function recordSpoolAgain(folder: string): Promise<number> {
  let uploads = 0
  for (const name of (await readdir(folder)).filter(isUploadId)) {
    const here = join(folder, name)
    const text = await readFile(join(here, manifestName), 'utf8').catch((error: unknown) => {
      if (codeOf(error) !== 'ENOENT') throw error
    })
    // without one, everything was done
    if (text === undefined) continue
    // as: a gateway wrote it, and the rename that made it visible came after its last byte
    const { claimKey: _, ...manifest } = JSON.parse(text) as Manifest
    await writeDurably(join(here, manifestName), JSON.stringify(manifest))
    await removeDurably(join(here, 'recorded'))
    uploads += 1
  }
  return uploads
}

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { uploadsFolder } from '../../../actors/ids.ts'
import { isSidecarKey } from '../../../actors/upload/sidecar.ts'
import { isVisible } from '../../../actors/upload/state.ts'
import type { UploadedFile } from '../../../actors/upload/state.ts'
import { buckets } from '../../../infra/nats/topology/topology.ts'
import { eventually } from '../../support/eventually.ts'
import type { Ledger } from '../clients/ledger.ts'
import type { History } from '../history.ts'
import type { Observer } from '../rig/observer.ts'
import type { Rig } from '../rig/rig.ts'

interface StoredBytes {
  readonly rig: Rig
  readonly observer: Observer
  readonly ledger: Ledger
  readonly history: History
  readonly isMixed: boolean
}

/** Below the folder of the store. */
const storedFolder = 'stored/'
const goneWithinMs = 60_000

/** Several files may refer to the same bytes: they are there for the last of them, and no longer. */
export async function checkBytes(input: StoredBytes): Promise<void> {
  const { rig, observer, ledger, history, isMixed } = input
  const folder = join(rig.disk.folder, 'objects')
  for (const [fileId, { life, recording }] of ledger.files) {
    const file = life === 'there' ? await observer.recordOf<UploadedFile>(buckets.files, fileId) : undefined
    if (file?.status !== 'completed') continue
    const bytes = await readFile(join(folder, storedFolder, file.storageKey)).catch(() => undefined)
    if (!bytes?.equals(recording.content)) history.complain('bytes', `file ${fileId} has not the bytes that were sent`)
  }
  // it knows nothing of sets, and may leave something to whoever sends the same bytes next
  if (isMixed) return
  let left: string[] = []
  const isClear = async (): Promise<boolean> => {
    const referred = await referredIn(observer)
    const entries = await readdir(join(folder, storedFolder, uploadsFolder), { recursive: true, withFileTypes: true })
    const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
    left = paths
      .map((path) => path.slice(folder.length + 1))
      .filter((path) => !isSidecarKey(path) && !referred.has(path))
    return left.length === 0
  }
  await eventually('nothing is stored that no file refers to', isClear, goneWithinMs).catch(() => {
    for (const path of left) history.complain('bytes', `${path} is stored, and no file refers to it`)
  })
}

/** Paths of what files that can be seen refer to, below the folder of the store. */
export async function referredIn(observer: Observer): Promise<ReadonlySet<string>> {
  const paths = new Set<string>()
  for (const key of await observer.keysOf(buckets.files)) {
    const file = await observer.recordOf<UploadedFile>(buckets.files, key)
    if (file && isVisible(file) && file.status === 'completed') paths.add(storedFolder + file.storageKey)
  }
  return paths
}

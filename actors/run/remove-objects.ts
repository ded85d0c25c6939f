import { editsFolder, linksFolder, passagesKey, runFolder } from '../ids.ts'
import type { RunRef } from '../ids.ts'
import type { Blobs } from '../ports.ts'

/** Everything in storage that was made of a file in a batch. Resolves with how many objects there were, without what they were searched by, what was edited and who may read them. */
export async function removeRunObjects(
  blobs: Pick<Blobs, 'remove' | 'removeAll'>,
  run: Omit<RunRef, 'index'>,
): Promise<number> {
  await blobs.remove(passagesKey(run))
  await blobs.removeAll(linksFolder(run))
  await blobs.removeAll(editsFolder(run))
  return blobs.removeAll(runFolder(run))
}

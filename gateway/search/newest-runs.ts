import { passagesKey, runOfPassages, searchFolder } from '../../actors/ids.ts'
import type { FileId, Owner } from '../../actors/ids.ts'
import type { Blobs } from '../../actors/ports.ts'
import type { FoundRun } from './user-index.ts'

interface NewestRuns {
  /** By key, the newest first; of a file that was transcribed again only the newest. */
  readonly newest: ReadonlyMap<string, FoundRun>
  /** Files that there are besides. */
  readonly more: number
}

/** What of a user’s can be searched: at most `most` files, whatever storage has. */
export async function newestRuns(blobs: Pick<Blobs, 'list'>, owner: Owner, most: number): Promise<NewestRuns> {
  const byFile = new Map<FileId, FoundRun>()
  let more = 0
  const keepNewest = (): void => {
    const oldest = [...byFile.values()].sort(newestFirst).slice(most)
    for (const { fileId } of oldest) byFile.delete(fileId)
    more += oldest.length
  }
  for await (const { key } of blobs.list(searchFolder(owner))) {
    const run = runOfPassages(key)
    const other = run && byFile.get(run.fileId)
    // before another file begins: the keys of one follow each other, so that none is counted twice
    if (!other && byFile.size >= 2 * most) keepNewest()
    if (run && (!other || other.batchId < run.batchId)) byFile.set(run.fileId, run)
  }
  keepNewest()
  const newest = [...byFile.values()].sort(newestFirst)
  return { newest: new Map(newest.map((run) => [passagesKey({ owner, ...run }), run])), more }
}

/** Ids begin with the time at which they were made. */
function newestFirst(one: FoundRun, other: FoundRun): number {
  return one.batchId < other.batchId ? 1 : -1
}

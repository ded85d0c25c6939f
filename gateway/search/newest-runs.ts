import { editsKey, ownerEditsFolder, passagesKey, runOfPassages, searchFolder, versionInKey } from '../../actors/ids.ts'
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
  // both at once: each look at storage is a turn of the thread, and there are others between two of them
  const editing = newestVersions(blobs, owner)
  editing.catch(() => undefined) // told below, unless the other fails first
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
  const versions = await editing
  const newest = [...byFile.values()].map((run) => editedLast(owner, run, versions)).sort(newestFirst)
  return { newest: new Map(newest.map((run) => [searchedKey(owner, run), run])), more }
}

/** Where the words of a run are that are looked for: as they were edited last, where they were. */
export function searchedKey(owner: Owner, { version, ...run }: FoundRun): string {
  return version === undefined ? passagesKey({ owner, ...run }) : editsKey({ owner, ...run }, version)
}

/** Each version of a run has its words with it; the newest counts. */
async function newestVersions(blobs: Pick<Blobs, 'list'>, owner: Owner): Promise<Map<string, number>> {
  const versions = new Map<string, number>()
  for await (const { key } of blobs.list(ownerEditsFolder(owner))) {
    const [run, version] = [runOfPassages(key), versionInKey(key)]
    if (!run || version === undefined) continue
    const passages = passagesKey({ owner, ...run })
    versions.set(passages, Math.max(version, versions.get(passages) ?? 0))
  }
  return versions
}

function editedLast(owner: Owner, run: FoundRun, versions: ReadonlyMap<string, number>): FoundRun {
  const version = versions.get(passagesKey({ owner, ...run }))
  return version === undefined ? run : { ...run, version }
}

/** Ids begin with the time at which they were made. */
function newestFirst(one: FoundRun, other: FoundRun): number {
  return one.batchId < other.batchId ? 1 : -1
}

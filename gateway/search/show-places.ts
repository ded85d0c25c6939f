import { runKey } from '../../actors/ids.ts'
import type { Owner } from '../../actors/ids.ts'
import type { Blobs, Records } from '../../actors/ports.ts'
import type { RunState } from '../../actors/run/state.ts'
import type { StoredPassages } from '../../actors/search/state.ts'
import { ahead } from '../batches/ahead.ts'
import { readStoredJson } from '../../actors/stored-json.ts'
import { searchedKey } from './newest-runs.ts'
import { snippetOf } from './snippet.ts'
import type { Snippet } from './snippet.ts'
import type { FoundPassage, TermsOf } from './user-index.ts'

export interface ShowPorts {
  readonly blobs: Pick<Blobs, 'open'>
  readonly runs: Pick<Records<RunState>, 'readMany'>
  readonly termsOf: TermsOf
}

interface ShownPlace extends Snippet {
  readonly file_id: string
  readonly filename: string
}

/** Each may be large, and only the snippets stay. */
const filesAtOnce = 4

/** In the order in which they were found. What was deleted is gone from the records before it is gone from storage (I12): they have the last word. */
export async function showPlaces(
  ports: ShowPorts,
  owner: Owner,
  shown: readonly FoundPassage[],
): Promise<readonly ShownPlace[]> {
  const byRun = new Map<string, FoundPassage[]>()
  for (const found of shown) byRun.set(runKey(found.run), [...(byRun.get(runKey(found.run)) ?? []), found])
  const records = await ports.runs.readMany([...byRun.keys()])
  const readable = [...byRun].flatMap(([key, found]) => (isReadable(records.get(key), owner) ? [found] : []))
  const places = new Map<FoundPassage, ShownPlace>()
  const files = ahead(readable, filesAtOnce, (found) => showFile(ports, owner, found))
  for await (const file of files) for (const [one, place] of file) places.set(one, place)
  return shown.flatMap((found) => places.get(found) ?? [])
}

function isReadable(run: RunState | undefined, owner: Owner): boolean {
  return run?.owner === owner && run.progress.phase === 'finished' && !run.progress.isExpired
}

/** Places of one file. */
async function showFile(
  { blobs, termsOf }: ShowPorts,
  owner: Owner,
  found: readonly FoundPassage[],
): Promise<(readonly [FoundPassage, ShownPlace])[]> {
  const [first] = found
  const stored = first && (await readStoredJson<StoredPassages>(blobs, searchedKey(owner, first.run)))
  return found.flatMap((one) => {
    const words = stored?.passages[one.passage]
    if (!stored || !words) return []
    const place = { file_id: one.run.fileId, filename: stored.filename, ...snippetOf(words, one.terms, termsOf) }
    return [[one, place] as const]
  })
}

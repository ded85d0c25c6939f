import { allEdited, allLinks, allSearched, passagesKey, runKey, runOfPassages, transcriptKey } from '../ids.ts'
import type { Blobs, Records } from '../ports.ts'
import { readStoredJson } from '../stored-json.ts'
import type { StoredTranscript } from '../transcript/state.ts'
import { passagesOf } from './passages.ts'
import { hasWords } from './state.ts'
import type { RunState } from './state.ts'

interface RebuildPorts {
  readonly runs: Pick<Records<RunState>, 'inOrder' | 'read'>
  readonly blobs: Pick<Blobs, 'stat' | 'open' | 'put' | 'remove' | 'list'>
}

const recordsAtOnce = 50

/** Makes what is searched of transcripts that have none: those of a version before, or what was lost. Resolves with of how many. */
export async function rebuildPassages(ports: RebuildPorts, onLook: (looked: number) => void): Promise<number> {
  let made = 0
  let looked = 0
  let after = 0
  for (;;) {
    const group = await ports.runs.inOrder(after, recordsAtOnce)
    for (const { value, revision } of group) {
      after = revision
      if (value && (await rebuild(ports, value))) made += 1
    }
    looked += group.length
    onLook(looked)
    if (group.length < recordsAtOnce) return made
  }
}

/** Removes what was left, to be searched, of edits or of share links, of those that a version before deleted, which knew nothing of it. Resolves with how many. */
export async function clearPassages({ runs, blobs }: RebuildPorts): Promise<number> {
  let removed = 0
  for (const folder of [allSearched, allEdited, allLinks])
    for await (const { key } of blobs.list(folder)) {
      const run = runOfPassages(key)
      if (run && isOver((await runs.read(runKey(run)))?.value) && (await blobs.remove(key))) removed += 1
    }
  return removed
}

async function rebuild({ runs, blobs }: RebuildPorts, run: RunState): Promise<boolean> {
  const key = passagesKey(run)
  if (!hasWords(run) || (await blobs.stat(key))) return false
  const stored = await readStoredJson<StoredTranscript>(blobs, transcriptKey(run))
  if (!stored) return false
  const bytes = Buffer.from(JSON.stringify(passagesOf(run.filename, stored.result)))
  await blobs.put(key, { bytes }, { ifAbsent: true })
  if (hasWords((await runs.read(runKey(run)))?.value)) return true
  // it was deleted meanwhile, and nothing brings it back (I12)
  await blobs.remove(key)
  return false
}

/** What is still put together has its passages before it is finished. */
function isOver(run: RunState | undefined): boolean {
  if (!run || run.progress.phase === 'gone') return true
  return run.progress.phase === 'finished' && !hasWords(run)
}

import { editLimits, notesOf } from './state.ts'
import type { EditStanding, Entries, Entry, EditStep, StoredEdits } from './state.ts'

/** Versions follow one another and none is ever changed: to go back makes a new one, with the content of an older one. */

/** What an older version had; nothing when it is not kept any more, or never was. */
export function entriesAt({ version: newest, entries, steps }: StoredEdits, version: number): Entries | undefined {
  if (version === 0) return {}
  if (version > newest || version < oldestVersionOf({ version: newest, steps })) return undefined
  return steps.filter((step) => step.version > version).reduceRight<Entries>(takenBack, entries)
}

/** What `undo` goes back to: the version before the last change that was not itself a going back. */
export function undoVersionOf(edits: Pick<StoredEdits, 'version' | 'steps'>): number | undefined {
  const content = contentOf(edits.steps, edits.version)
  if (content === 0) return undefined
  const before = contentOf(edits.steps, content - 1)
  return before === 0 || before >= oldestVersionOf(edits) ? before : undefined
}

/** What `redo` goes forward to: the version that the last `undo` left, as long as nothing else was done since. */
export function redoVersionOf(edits: Pick<StoredEdits, 'version' | 'steps'>): number | undefined {
  const { steps } = edits
  let left: number[] = []
  for (const { version, restores } of steps) {
    const before = contentOf(steps, version - 1)
    if (restores !== undefined && restores === left.at(-1)) left.pop()
    else if (restores !== undefined && restores === contentOf(steps, before - 1)) left.push(before)
    else left = []
  }
  const next = left.at(-1)
  return next !== undefined && next >= oldestVersionOf(edits) ? next : undefined
}

/** The next version: with these entries, and the way back. */
export function nextVersion(
  current: Pick<StoredEdits, 'version' | 'entries' | 'steps'>,
  entries: Entries,
  made: { readonly atMs: number; readonly restores?: number | undefined },
): Pick<StoredEdits, 'version' | 'atMs' | 'entries' | 'steps'> {
  const version = current.version + 1
  const { atMs, restores } = made
  const content = restores === undefined ? undefined : contentOf(current.steps, restores)
  const step: EditStep = {
    version,
    atMs,
    before: differences(current.entries, entries),
    ...(content !== undefined && { restores: content }),
  }
  return { version, atMs, entries, steps: withinLimits([...current.steps, step]) }
}

export function editStandingOf(edits: StoredEdits): EditStanding {
  const [undoVersion, redoVersion] = [undoVersionOf(edits), redoVersionOf(edits)]
  return {
    version: edits.version,
    editedAtMs: edits.atMs,
    ...(undoVersion !== undefined && { undoVersion }),
    ...(redoVersion !== undefined && { redoVersion }),
    oldestVersion: oldestVersionOf(edits),
    notes: notesOf(edits.entries),
  }
}

function oldestVersionOf({ version, steps }: Pick<StoredEdits, 'version' | 'steps'>): number {
  // before the oldest step there is still the version that it changed
  return Math.max(1, (steps[0]?.version ?? version + 1) - 1)
}

function contentOf(steps: readonly EditStep[], version: number): number {
  return steps.find((step) => step.version === version)?.restores ?? version
}

function takenBack(entries: Entries, { before }: EditStep): Entries {
  const rest = Object.entries(entries).filter(([key]) => !Object.hasOwn(before, key))
  const again = Object.entries(before).filter((change): change is [string, Entry] => change[1] !== null)
  return Object.fromEntries([...rest, ...again])
}

function differences(before: Entries, after: Entries): EditStep['before'] {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  const changed = keys.filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]))
  return Object.fromEntries(changed.map((key) => [key, before[key] ?? null]))
}

/** The newest, as many and as much as is kept. */
function withinLimits(steps: readonly EditStep[]): EditStep[] {
  let bytes = 0
  const kept = steps.slice(-editLimits.versions).toReversed()
  const beyond = kept.findIndex((step) => (bytes += Buffer.byteLength(JSON.stringify(step))) > editLimits.stepsBytes)
  return kept.slice(0, beyond === -1 ? kept.length : beyond).toReversed()
}

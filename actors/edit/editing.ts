import { commit } from '../durable-actor.ts'
import { terminal } from '../failure.ts'
import type { FailureError } from '../failure.ts'
import { editsFolder, editsKey, runKey, transcriptKey, versionInKey } from '../ids.ts'
import type { Blobs, Clock, Records } from '../ports.ts'
import { passagesOf } from '../run/passages.ts'
import { hasWords } from '../run/state.ts'
import type { RunState } from '../run/state.ts'
import { readStoredJson } from '../stored-json.ts'
import type { StoredTranscript } from '../transcript/state.ts'
import { decide, isRefusal, outdated } from './decide.ts'
import { editedWordsOf, layOver } from './lay-over.ts'
import type { Editing, Writing } from './ports.ts'
import type { EditRefusal, EditRequest } from './protocol.ts'
import type { EditStanding, StoredEdits } from './state.ts'
import { entriesAt, editStandingOf } from './versions.ts'

interface EditingPorts {
  readonly runs: Pick<Records<RunState>, 'read' | 'create' | 'replace' | 'backOff'>
  readonly blobs: Pick<Blobs, 'open' | 'put' | 'list' | 'remove' | 'removeAll'>
  readonly clock: Clock
  readonly writing: Writing
}

/** Who edits at the same time takes the object away that another is about to read, once for each version. */
const looksMax = 10

/**
 * A version is an object that is created once, under its number: of two who edit the same version only one creates the next, and that is
 * the whole of the compare-and-set. What it replaces is removed afterwards.
 */
export function openEditing(ports: EditingPorts): Editing {
  return {
    async read(run, transcript, version) {
      if (version === 0) return { transcript }
      const edits = run.isEdited ? await newestOf(ports, run) : undefined
      if (!edits) return version === undefined ? { transcript } : undefined
      const entries = version === undefined ? edits.entries : entriesAt(edits, version)
      if (!entries) return undefined
      return { transcript: layOver(transcript, entries, ports.writing), edits: editStandingOf({ ...edits, entries }) }
    },
    async seenIn(run) {
      const edits = run.isEdited ? await newestOf(ports, run) : undefined
      return (segment) => edits !== undefined && editedWordsOf(edits.entries, segment) !== undefined
    },
    change: (run, request) => change(ports, run, request),
  }
}

async function change(ports: EditingPorts, run: RunState, request: EditRequest): Promise<EditStanding | undefined> {
  const { clock, writing } = ports
  const transcript = await readStoredJson<StoredTranscript>(ports.blobs, transcriptKey(run))
  if (!transcript) return undefined
  const current = await newestOf(ports, run)
  const { redact } = run.settings
  const next = decide({ transcript, current, writing, redact, atMs: clock.nowMs() }, request)
  if (isRefusal(next)) throw refused(next)
  const { result } = layOver(transcript, next.entries, writing)
  const edits: StoredEdits = { ...next, ...passagesOf(run.filename, result) }
  // first: readers of what was never edited do not even look for edits
  if (!(await markEdited(ports, run))) return undefined
  const stored = await ports.blobs.put(editsKey(run, edits.version), inJson(edits), { ifAbsent: true })
  if (stored === 'exists') throw refused(outdated(request.version, edits.version))
  return settle(ports, run, edits)
}

function inJson(edits: StoredEdits): { readonly bytes: Buffer } {
  return { bytes: Buffer.from(JSON.stringify(edits)) }
}

/** Who was slow may have created a version that others had left behind, and removed; or of a run that was deleted meanwhile (I12). */
async function settle(ports: EditingPorts, run: RunState, edits: StoredEdits): Promise<EditStanding | undefined> {
  const { blobs, runs } = ports
  const versions = await versionsOf(ports, run)
  const newest = versions.at(-1)
  if (newest !== undefined && newest > edits.version) {
    await blobs.remove(editsKey(run, edits.version))
    throw refused(outdated(edits.version - 1, newest))
  }
  for (const version of versions) if (version < edits.version) await blobs.remove(editsKey(run, version))
  if (hasWords((await runs.read(runKey(run)))?.value)) return editStandingOf(edits)
  await blobs.removeAll(editsFolder(run))
  return undefined
}

/** False when there is nothing to edit any more. */
async function markEdited({ runs }: EditingPorts, run: RunState): Promise<boolean> {
  const { state } = await commit(runs, runKey(run), (stored) => ({
    state: stored && hasWords(stored) && !stored.isEdited ? { ...stored, isEdited: true as const } : stored,
    effects: [],
  }))
  return hasWords(state)
}

async function newestOf(ports: EditingPorts, run: RunState): Promise<StoredEdits | undefined> {
  for (let looks = 0; looks < looksMax; looks += 1) {
    const newest = (await versionsOf(ports, run)).at(-1)
    if (newest === undefined) return undefined
    const edits = await readStoredJson<StoredEdits>(ports.blobs, editsKey(run, newest))
    if (edits) return edits
  }
  throw terminal('conflict', 'The transcript is being edited all the time; try again shortly.')
}

/** In order. */
async function versionsOf({ blobs }: EditingPorts, run: RunState): Promise<number[]> {
  const versions: number[] = []
  for await (const { key } of blobs.list(editsFolder(run))) versions.push(versionInKey(key) ?? 0)
  return versions.filter((version) => version > 0).sort((one, other) => one - other)
}

function refused({ code, detail }: EditRefusal): FailureError {
  return terminal(code, detail)
}

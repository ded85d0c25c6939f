import { editsFolder, editsKey, transcriptKey, versionInKey } from '../ids.ts'
import type { RunRef } from '../ids.ts'
import type { Blobs, Clock } from '../ports.ts'
import { passagesOf } from '../run/passages.ts'
import type { RunState } from '../run/state.ts'
import { readStoredJson } from '../stored-json.ts'
import type { StoredTranscript } from '../transcript/state.ts'
import { carriedEntries } from './carried-entries.ts'
import { layOver } from './lay-over.ts'
import type { Writing } from './ports.ts'
import type { StoredEdits, WrittenTranscript } from './state.ts'
import { nextVersion } from './versions.ts'

interface CarryPorts {
  readonly blobs: Pick<Blobs, 'open' | 'put' | 'list'>
  readonly clock: Clock
  readonly writing: Pick<Writing, 'textOf'>
}

/**
 * What a user made of a transcript is laid over the one that goes on with it, as its first version. Who does it twice finds it done: nobody
 * edits before it is there.
 */
export function carryEdits(ports: CarryPorts): (run: RunState, after: WrittenTranscript) => Promise<void> {
  return async (run, after) => {
    if (run.continues === undefined || run.again === undefined) return
    const earlier = { ...run, batchId: run.continues }
    const [edits, before] = [
      await newestEdits(ports, earlier),
      await readStoredJson<StoredTranscript>(ports.blobs, transcriptKey(earlier)),
    ]
    if (!edits || !before) return
    const entries = carriedEntries({ before, entries: edits.entries, after })
    if (Object.keys(entries).length === 0) return
    const { result } = layOver(after, entries, ports.writing)
    const atMs = ports.clock.nowMs()
    const made: StoredEdits = {
      ...nextVersion({ version: 0, entries: {}, steps: [] }, entries, { atMs }),
      ...passagesOf(run.filename, result),
    }
    await ports.blobs.put(editsKey(run, 1), { bytes: Buffer.from(JSON.stringify(made)) }, { ifAbsent: true })
  }
}

async function newestEdits({ blobs }: CarryPorts, run: RunRef): Promise<StoredEdits | undefined> {
  let newest = 0
  for await (const { key } of blobs.list(editsFolder(run))) newest = Math.max(newest, versionInKey(key) ?? 0)
  return newest === 0 ? undefined : readStoredJson<StoredEdits>(blobs, editsKey(run, newest))
}

import { passagesKey, transcriptKey, unredactedKey } from '../ids.ts'
import type { Blobs, BlobSource, Clock, Faults } from '../ports.ts'
import type { AssembledTranscript, StoredTranscript } from '../transcript/state.ts'
import { passagesOf } from './passages.ts'
import type { RunCommand } from './protocol.ts'
import type { RunState } from './state.ts'

export interface TranscriptPorts {
  readonly blobs: Blobs
  readonly clock: Clock
  readonly faults: Faults
  /** Lays what a user made of an earlier transcript over this one. Absent: nobody goes on with another's. */
  readonly carryEdits?: (file: RunState, transcript: StoredTranscript) => Promise<void>
}

/** Stores what the chunks of a run say together, and what it is searched by; resolves with what is to be told of it. */
export async function storeTranscript(
  { blobs, clock, faults, carryEdits }: TranscriptPorts,
  { unredacted, ...transcript }: AssembledTranscript,
  { file, signal }: { readonly file: RunState; readonly signal: AbortSignal },
): Promise<RunCommand> {
  const passages = passagesOf(file.filename, transcript.result)
  // one after another: of two at once, one that failed would leave the other on its way when the file is given up and deleted (I12)
  await blobs.put(passagesKey(file), inJson(passages), { ifAbsent: true, signal })
  if (unredacted) await blobs.put(unredactedKey(file), inJson(unredacted), { ifAbsent: true, signal })
  await blobs.put(transcriptKey(file), inJson(transcript), { ifAbsent: true, signal })
  await carryEdits?.(file, transcript)
  await faults.point('assemble.after-store')
  const { language } = transcript.result
  return { type: 'Assembled', atMs: clock.nowMs(), wordlessSeconds: wordlessSecondsOf(transcript), language }
}

function inJson(value: object): BlobSource {
  return { bytes: Buffer.from(JSON.stringify(value)) }
}

/** Chunks that failed are counted by themselves. */
function wordlessSecondsOf({ result: { gaps = [] } }: StoredTranscript): number {
  return gaps.reduce((sum, gap) => sum + (gap.chunk_index === undefined ? gap.end - gap.start : 0), 0)
}

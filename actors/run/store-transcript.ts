import { transcriptKey } from '../ids.ts'
import type { Blobs, Clock, Faults } from '../ports.ts'
import type { StoredTranscript } from '../transcript/state.ts'
import type { RunCommand } from './protocol.ts'
import type { RunRef } from '../ids.ts'

interface TranscriptPorts {
  readonly blobs: Blobs
  readonly clock: Clock
  readonly faults: Faults
}

/** Stores what the chunks of a run say together; resolves with what is to be told of it. */
export async function storeTranscript(
  { blobs, clock, faults }: TranscriptPorts,
  transcript: StoredTranscript,
  { file, signal }: { readonly file: RunRef; readonly signal: AbortSignal },
): Promise<RunCommand> {
  const bytes = Buffer.from(JSON.stringify(transcript))
  await blobs.put(transcriptKey(file), { bytes }, { ifAbsent: true, signal })
  await faults.point('assemble.after-store')
  return { type: 'Assembled', atMs: clock.nowMs(), wordlessSeconds: wordlessSecondsOf(transcript) }
}

/** Chunks that failed are counted by themselves. */
function wordlessSecondsOf({ result: { gaps = [] } }: StoredTranscript): number {
  return gaps.reduce((sum, gap) => sum + (gap.chunk_index === undefined ? gap.end - gap.start : 0), 0)
}

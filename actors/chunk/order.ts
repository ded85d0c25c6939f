import { has } from '../bitset.ts'
import { runKey } from '../ids.ts'
import type { Records } from '../ports.ts'
import { chunksOf } from '../run/state.ts'
import type { RunState, TranscribeSettings } from '../run/state.ts'
import type { ChunkWork } from './protocol.ts'

/** How a chunk is to be heard; nothing when its outcome is known already, or its file is gone. */
export async function orderOf(runs: Records<RunState>, work: ChunkWork): Promise<TranscribeSettings | undefined> {
  const run = await runs.read(runKey(work))
  const chunks = run && chunksOf(run.value.progress)
  if (!chunks || has(chunks.done, work.chunk) || has(chunks.failed, work.chunk)) return undefined
  return run.value.settings
}

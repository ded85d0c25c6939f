import { has } from '../bitset.ts'
import { runKey } from '../ids.ts'
import type { Delivered, Records } from '../ports.ts'
import { chunksOf } from '../run/state.ts'
import type { RunState, TranscribeSettings } from '../run/state.ts'
import type { ChunkWork } from './protocol.ts'

/** Nothing when its outcome is known already, or its file is gone. */
export type OrderOf = (
  delivered: Pick<Delivered<ChunkWork>, 'work' | 'deliveries'>,
  /** Whether time has passed since it was taken up. */
  options?: { readonly isLate?: boolean },
) => Promise<TranscribeSettings | undefined>

/** Of so many files it is known how they are to be heard. */
const mostKept = 256

/**
 * How a chunk is to be heard never changes, so it is read once for the chunks of a file. What comes again, or is tried again, may have its
 * outcome by now and is looked up; what is deleted meanwhile is found to have no audio.
 */
export function openOrders(runs: Records<RunState>): OrderOf {
  const known = new Map<string, TranscribeSettings>()
  return async ({ work, deliveries }, { isLate = false } = {}) => {
    const key = runKey(work)
    const isFirst = work.attempt === 1 && deliveries === 1 && !isLate
    const settings = (isFirst ? known.get(key) : undefined) ?? (await orderOf(runs, work))
    if (!settings) return undefined
    known.set(key, settings)
    const [oldest] = known.keys()
    if (known.size > mostKept && oldest !== undefined) known.delete(oldest)
    return settings
  }
}

/** Nothing when its outcome is known already, or its file is gone. */
async function orderOf(runs: Records<RunState>, work: ChunkWork): Promise<TranscribeSettings | undefined> {
  const run = await runs.read(runKey(work))
  const chunks = run && chunksOf(run.value.progress)
  if (!chunks || has(chunks.done, work.chunk) || has(chunks.failed, work.chunk)) return undefined
  return run.value.settings
}

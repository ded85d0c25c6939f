import { has } from '../bitset.ts'
import { runKey } from '../ids.ts'
import type { Clock, Delivered, Records } from '../ports.ts'
import { chunksOf } from '../run/state.ts'
import type { RunProgress, RunState, TranscribeSettings } from '../run/state.ts'
import type { ChunkWork } from './protocol.ts'

/** Nothing when its file is gone; `settled` when its outcome is known already, `early` when its file does not know yet that it was cut. */
type Order = TranscribeSettings | 'settled' | 'early' | undefined

export type OrderOf = (
  delivered: Pick<Delivered<ChunkWork>, 'work' | 'deliveries'>,
  /** Whether time has passed since it was taken up. */
  options?: { readonly isLate?: boolean },
) => Promise<Order>

/** Nobody waits for it any more. */
export function isOver(order: Order): order is 'settled' | undefined {
  return order === undefined || order === 'settled'
}

/** Of so many files it is known how they are to be heard. */
const mostKept = 256
/** And for so long it is believed that they are wanted: a file that is cancelled or deleted costs no more than this. */
const wantedForMs = 5_000

/**
 * How a chunk is to be heard never changes, so it is not read for each chunk of a file. What comes again, or is tried again, may have its
 * outcome by now and is looked up.
 */
export function openOrders(runs: Records<RunState>, clock: Pick<Clock, 'elapsedMs'>): OrderOf {
  const known = new Map<string, { readonly settings: TranscribeSettings; readonly readMs: number }>()
  return async ({ work, deliveries }, { isLate = false } = {}) => {
    const key = runKey(work)
    const isFirst = work.attempt === 1 && deliveries === 1 && !isLate
    const seen = isFirst ? known.get(key) : undefined
    const readMs = clock.elapsedMs()
    if (seen && readMs - seen.readMs < wantedForMs) return seen.settings
    const order = await orderOf(runs, work)
    if (isOver(order) || order === 'early') return order
    known.delete(key)
    known.set(key, { settings: order, readMs })
    const [oldest] = known.keys()
    if (known.size > mostKept && oldest !== undefined) known.delete(oldest)
    return order
  }
}

async function orderOf(runs: Records<RunState>, work: ChunkWork): Promise<Order> {
  const run = await runs.read(runKey(work))
  if (!run) return undefined
  const { progress, settings } = run.value
  const chunks = chunksOf(progress)
  if (!chunks) return isUncut(progress) ? 'early' : undefined
  return has(chunks.done, work.chunk) || has(chunks.failed, work.chunk) ? 'settled' : settings
}

/** Who cut it has tried this chunk at once, in vain, and takes longer to say so than the next attempt was put off. */
function isUncut({ phase }: RunProgress): boolean {
  return phase === 'queued' || phase === 'planning' || phase === 'waiting'
}

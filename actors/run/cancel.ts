import { add, missing } from '../bitset.ts'
import { unreachable } from '../decision.ts'
import { cancelledAt, withFailure } from './chunk-errors.ts'
import { failedRun, settled } from './settle.ts'
import type { RunningRun } from './settle.ts'
import type { RunProgress } from './state.ts'

/**
 * What is cut ends as if the rest had failed; what is being put together is done. Of what is not cut nobody knows whether it was deleted before it
 * was issued: who has it in hand does.
 */
export function cancelledRun(progress: RunProgress, atMs: number): RunProgress {
  switch (progress.phase) {
    case 'queued':
    case 'planning':
      return progress.cancelledAtMs === undefined ? { ...progress, cancelledAtMs: atMs } : progress
    case 'waiting':
      return progress.chunks ? progress : failedRun(progress, cancelledAt(atMs, progress.attempt))
    case 'running':
      return restCancelled(progress, atMs)
    case 'assembling':
    case 'finished':
    case 'gone':
      return progress
    default:
      return unreachable(progress)
  }
}

export function restCancelled(progress: RunningRun, atMs: number): RunProgress {
  const { chunks, attempt } = progress
  const { total: issued, done, failed: before } = chunks
  const rest = missing(issued, done, before)
  const error = cancelledAt(atMs, attempt)
  const errors = rest.reduce((all, chunk) => withFailure(all, chunk, error), chunks.errors)
  return settled({ ...progress, chunks: { ...chunks, issued, active: {}, failed: add(before, ...rest), errors } })
}

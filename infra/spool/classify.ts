import { FailureError, away, retryable } from '../../actors/failure.ts'
import { codeOf } from '../process/error-code.ts'

const noRoom = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

/** The one place that looks inside an error of the spool's disk. */
export function classify(error: unknown): unknown {
  if (error instanceof FailureError) return error
  if (codeOf(error) === 'ENOENT')
    return retryable(
      'overloaded',
      'Another server took over from this one. Nothing was kept; try again shortly.',
      error,
    )
  if (!noRoom.has(codeOf(error))) return error
  return away(
    'disk_full',
    'There is no room left for uploads on this server. Nothing was kept; try again later.',
    error,
  )
}

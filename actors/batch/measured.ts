import { retryable } from '../failure.ts'
import type { RunOrder } from '../run/state.ts'
import type { DayQuota } from './day-quota.ts'
import { takeShare } from './quota.ts'
import type { QuotaLimits, QuotaPorts } from './quota.ts'

interface MeasuredPorts extends QuotaPorts {
  /** Absent: no such limit. */
  readonly dayQuota?: DayQuota
}

/** Of a recording that was decoded. */
interface Measured extends Pick<RunOrder, 'owner' | 'batchId' | 'index' | 'estimatedSeconds'> {
  readonly seconds: number
}

/**
 * A batch was admitted by what headers told, and by a guess where nobody has seen one. What a recording has beyond that is taken of its
 * user's quota when it is known, or the recording is not transcribed. It may fit when other work has ended.
 */
export async function admitMeasured(ports: MeasuredPorts, limits: QuotaLimits, measured: Measured): Promise<void> {
  const { owner, batchId, index, estimatedSeconds, seconds } = measured
  const beyond = seconds - estimatedSeconds
  if (beyond <= 0) return
  const key = `${batchId}.${index}` as const
  const excess =
    (limits.quotaAudioSeconds > 0
      ? await takeShare(ports, limits, { owner, key, share: { files: 0, seconds: beyond }, what: 'recording' })
      : undefined) ?? (await ports.dayQuota?.spend({ owner, key, seconds: beyond }))?.detail
  if (excess !== undefined)
    throw retryable(
      'quota_exceeded',
      `It has ${Math.ceil(seconds)} seconds, and was taken for ${Math.ceil(estimatedSeconds)} when it was submitted. ${excess}`,
    )
}

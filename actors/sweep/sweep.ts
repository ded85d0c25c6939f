import { release } from '../batch/quota.ts'
import type { BatchPorts } from '../batch/tell.ts'
import type { Stored } from '../ports.ts'
import type { OpenBatch } from '../batch/state.ts'
import { careFor } from './decide.ts'
import type { SweepLimits } from './decide.ts'

export type SweepPorts = Pick<BatchPorts, 'batches' | 'open' | 'quotas' | 'reports' | 'clock' | 'faults' | 'log'>

/**
 * Looks at every open batch; what is owed and was forgotten is found by the batch itself when it is woken. Harmless when
 * two sweep at once (I7). Resolves with how many were woken.
 */
export async function sweep(ports: SweepPorts, limits: SweepLimits): Promise<number> {
  let woken = 0
  for (const key of await ports.open.keys()) {
    const entry = await ports.open.read(key)
    if (entry && (await lookAfter(ports, key, { entry, limits }))) woken += 1
  }
  return woken
}

async function lookAfter(
  ports: SweepPorts,
  key: string,
  { entry, limits }: { entry: Stored<OpenBatch>; limits: SweepLimits },
): Promise<boolean> {
  const { batchId } = entry.value
  const stored = await ports.batches.read(batchId)
  const nowMs = ports.clock.nowMs()
  const ageMs = nowMs - (stored ?? entry).storedAtMs
  switch (careFor({ batch: stored?.value, ageMs }, limits)) {
    case 'leave':
      return false
    case 'wake': {
      // one question in each stale time, also when two sweepers ask it
      const round = Math.floor(nowMs / limits.staleMs)
      await ports.reports.toBatch(entry.value, { type: 'Wake' }, `wake:${batchId}:${stored?.revision ?? 0}:${round}`)
      await ports.faults.point('sweep.after-wake')
      return true
    }
    case 'collect':
      ports.log.warn('an open entry without a batch is removed', { batchId })
      await release(ports.quotas, entry.value)
      await ports.open.remove(key)
      return false
  }
}

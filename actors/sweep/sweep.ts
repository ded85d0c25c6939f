import type { BatchPorts } from '../batch/actor.ts'
import { enterLate } from '../batch/waiting.ts'
import { withdrawBatch } from '../batch/withdraw.ts'
import { createSights } from '../sights.ts'
import type { Sights } from '../sights.ts'
import { careFor } from './decide.ts'
import type { SweepLimits } from './decide.ts'

export type SweepPorts = Omit<BatchPorts, 'runs' | 'fileQueue' | 'webhookQueue'>

export interface Sweeper {
  /** Looks at every open batch; resolves with how many were woken. */
  sweep(): Promise<number>
}

interface Sweeping {
  readonly ports: SweepPorts
  readonly limits: SweepLimits
  readonly sights: Sights
}

/** What is owed and was forgotten is found by the batch itself when it is woken. Harmless when two sweep at once (I7). */
export function createSweeper(ports: SweepPorts, limits: SweepLimits): Sweeper {
  const sights = createSights(ports.clock)
  return {
    async sweep() {
      const keys = await ports.open.keys()
      sights.keepOnly(new Set(keys))
      let woken = 0
      for (const key of keys) if (await lookAfter({ ports, limits, sights }, key)) woken += 1
      return woken
    },
  }
}

async function lookAfter(input: Sweeping, key: string): Promise<boolean> {
  const { ports, limits, sights } = input
  const entry = await ports.open.read(key)
  if (!entry) return false
  const { batchId, stretches } = entry.value
  if (!stretches) await enterLate(ports, entry.value)
  const stored = await ports.batches.read(batchId)
  const revision = stored?.revision ?? 0
  const ageMs = sights.ageMs(key, revision)
  switch (careFor({ batch: stored?.value, ageMs }, limits)) {
    case 'leave':
      return false
    case 'wake': {
      sights.forget(key)
      // one question in each stale time, also when two sweepers ask it
      const round = Math.floor(ports.clock.nowMs() / limits.staleMs)
      await ports.reports.toBatch(entry.value, { type: 'Wake' }, `wake:${batchId}:${revision}:${round}`)
      await ports.faults.point('sweep.after-wake')
      return true
    }
    case 'collect':
      if (!(await withdrawBatch(ports, entry.value)))
        ports.log.warn('an unfinished submission is cleared away', { batchId })
      return false
  }
}

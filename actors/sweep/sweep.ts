import type { BatchPorts } from '../batch/actor.ts'
import { enterLate } from '../batch/waiting.ts'
import { withdrawBatch } from '../batch/withdraw.ts'
import type { Revision } from '../ports.ts'
import { careFor } from './decide.ts'
import type { SweepLimits } from './decide.ts'

export type SweepPorts = Omit<BatchPorts, 'runs' | 'fileQueue' | 'webhookQueue'>

export interface Sweeper {
  /** Looks at every open batch; resolves with how many were woken. */
  sweep(): Promise<number>
}

/** What a sweeper saw of a batch, and since when, by its own clock that only goes forward: others' clocks do not decide (I11). */
interface Sight {
  readonly revision: Revision
  readonly sinceMs: number
}

interface Sweeping {
  readonly ports: SweepPorts
  readonly limits: SweepLimits
  readonly sights: Map<string, Sight>
}

/** What is owed and was forgotten is found by the batch itself when it is woken. Harmless when two sweep at once (I7). */
export function createSweeper(ports: SweepPorts, limits: SweepLimits): Sweeper {
  const sights = new Map<string, Sight>()
  return {
    async sweep() {
      const keys = await ports.open.keys()
      const open = new Set(keys)
      for (const key of sights.keys()) if (!open.has(key)) sights.delete(key)
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
  const ageMs = ageOf(input, key, revision)
  switch (careFor({ batch: stored?.value, ageMs }, limits)) {
    case 'leave':
      return false
    case 'wake': {
      sights.delete(key)
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

/** How long this has been so, as far as this sweeper knows. */
function ageOf({ ports, sights }: Sweeping, key: string, revision: Revision): number {
  const nowMs = ports.clock.elapsedMs()
  const seen = sights.get(key)
  if (seen?.revision === revision) return nowMs - seen.sinceMs
  sights.set(key, { revision, sinceMs: nowMs })
  return 0
}

import { purgeActor } from './actor.ts'
import type { PurgePorts } from './actor.ts'
import { createCompaction } from './compact.ts'

interface PromiseKeeper {
  /** Looks at every deletion that was promised. Harmless when two do it at once. */
  keep(): Promise<void>
}

/**
 * Keeps the promises that a crash or an outage left open; and clears away once more, after `lingerMs`, what was written by somebody who
 * stood still while it was deleted, and died before it could see that (I12). What was deleted leaves the disk of the broker, too. How long that is tells the keeper's own clock, which only
 * goes forward (I11).
 */
export function createPromiseKeeper(ports: PurgePorts, lingerMs: number): PromiseKeeper {
  const actor = purgeActor(ports)
  const doneSinceMs = new Map<string, number>()
  const compaction = createCompaction(ports)

  async function look(purgeId: string): Promise<void> {
    const nowMs = ports.clock.elapsedMs()
    const sinceMs = doneSinceMs.get(purgeId)
    if (sinceMs !== undefined && nowMs - sinceMs < lingerMs) return
    const promise = (await ports.purges.read(purgeId))?.value
    if (!promise) return
    if (!promise.isDone) {
      await actor.tell(purgeId, [{ type: 'Wake' }])
      return
    }
    if (sinceMs === undefined) {
      doneSinceMs.set(purgeId, nowMs)
      if (!promise.wakes) compaction.isDue()
    } else await actor.tell(purgeId, [{ type: 'Lingered' }])
  }

  /** One that cannot be kept, now or ever, keeps no other from being kept. */
  async function lookWhateverBefore(purgeId: string): Promise<void> {
    try {
      await look(purgeId)
    } catch (error) {
      ports.log.warn('a deletion was not kept; it is tried again', { purgeId, error })
    }
  }

  return {
    async keep() {
      const purgeIds = await ports.purges.keys()
      const known = new Set(purgeIds)
      for (const purgeId of doneSinceMs.keys()) if (!known.has(purgeId)) doneSinceMs.delete(purgeId)
      for (const purgeId of purgeIds) await lookWhateverBefore(purgeId)
      await compaction.settle()
    },
  }
}

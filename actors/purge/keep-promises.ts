import type { FileId } from '../ids.ts'
import type { Records } from '../ports.ts'
import type { UploadInHand } from '../upload/state.ts'
import { purgeActor } from './actor.ts'
import type { PurgePorts } from './actor.ts'
import { createCompaction } from './compact.ts'
import { uploadsOf } from './folders.ts'
import { renewMarks } from './marks.ts'

interface KeeperPorts extends PurgePorts {
  readonly inHand: Pick<Records<UploadInHand>, 'keys' | 'readMany'>
}

interface PromiseKeeper {
  /** Looks at every deletion that was promised. Harmless when two do it at once. */
  keep(): Promise<void>
}

/**
 * Keeps the promises that a crash or an outage left open; and clears away once more, after `lingerMs`, what was written by somebody who
 * stood still while it was deleted, and died before it could see that (I12). What was deleted leaves the disk of the broker, too. How long that is tells the keeper's own clock, which only
 * goes forward (I11). What waits in the spool of a gateway that is away would be accepted once more when that comes back, days later: a deletion of it is
 * remembered for as long as a gateway has it in hand.
 */
export function createPromiseKeeper(ports: KeeperPorts, lingerMs: number): PromiseKeeper {
  const actor = purgeActor(ports)
  const doneSinceMs = new Map<string, number>()
  const compaction = createCompaction(ports)

  async function look(purgeId: string, filesInHand: () => Promise<ReadonlySet<FileId>>): Promise<void> {
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
      return
    }
    const inHand = await filesInHand()
    if (uploadsOf(promise).some((fileId) => inHand.has(fileId))) {
      await renewMarks(ports, promise)
      doneSinceMs.set(purgeId, nowMs)
    } else await actor.tell(purgeId, [{ type: 'Lingered' }])
  }

  /** One that cannot be kept, now or ever, keeps no other from being kept. */
  async function lookWhateverBefore(...looked: Parameters<typeof look>): Promise<void> {
    const [purgeId] = looked
    try {
      await look(...looked)
    } catch (error) {
      ports.log.warn('a deletion was not kept; it is tried again', { purgeId, error })
    }
  }

  return {
    async keep() {
      const purgeIds = await ports.purges.keys()
      const known = new Set(purgeIds)
      for (const purgeId of doneSinceMs.keys()) if (!known.has(purgeId)) doneSinceMs.delete(purgeId)
      // asked for once, where a deletion is to be forgotten
      let looking: Promise<ReadonlySet<FileId>> | undefined
      for (const purgeId of purgeIds) await lookWhateverBefore(purgeId, () => (looking ??= filesIn(ports.inHand)))
      await compaction.settle()
    },
  }
}

/** Of all uploads for which a gateway, dead or alive, has not done everything. */
async function filesIn(inHand: KeeperPorts['inHand']): Promise<ReadonlySet<FileId>> {
  const notes = await inHand.readMany(await inHand.keys())
  return new Set([...notes.values()].flatMap(({ fileIds }) => fileIds))
}

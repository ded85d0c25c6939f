import type { BigIntStats } from 'node:fs'
import { lstat } from 'node:fs/promises'
import { dirname } from 'node:path'

import { unlessMissing } from './disk-classify.ts'
import { syncFolder } from './durable-folders.ts'

/** Makes names survive a power cut, and remembers for which folders it has done so. */
export interface SyncedFolders {
  /** What was named in `folder`, its own name, and those above it below `root`: also what others made, who may not have come round to it yet. */
  upTo(root: string, folder: string): Promise<void>
}

/** One each for users, batches and files that are under way. */
const mostKnown = 1_024
/** Disks stamp by a clock that goes in steps. One that is older than any step cannot be mistaken for its successor. */
const settledNs = 100_000_000n

/**
 * A folder that is the same as when its name and all above it were synced is still safe, and so are those above: what is not empty cannot be
 * removed. One that was removed and made anew in its place is another by the time of its birth, as inodes are used again.
 */
export function createSyncedFolders(sync: (folder: string) => Promise<void> = syncFolder): SyncedFolders {
  const known = new Map<string, string>()
  return {
    async upTo(root, folder) {
      await unlessMissing(sync(folder))
      const found: [string, string][] = []
      let nowNs: bigint | undefined
      for (let each = folder; each !== root; each = dirname(each)) {
        const facts = await unlessMissing(lstat(each, { bigint: true }))
        // by the clock of the disk, which has just stamped that something was named there (I11)
        nowNs ??= facts?.ctimeNs
        const identity = facts && identityOf(facts, nowNs ?? 0n)
        if (identity !== undefined && known.get(each) === identity) break
        await unlessMissing(sync(dirname(each)))
        if (identity !== undefined) found.push([each, identity])
      }
      // not before all of them are: whoever meets one here relies on those above
      for (const [each, identity] of found) keep(known, each, identity)
    },
  }
}

/** None of one that was just made, or on a disk that knows no births. */
function identityOf({ dev, ino, birthtimeNs }: BigIntStats, nowNs: bigint): string | undefined {
  if (birthtimeNs === 0n || nowNs - birthtimeNs < settledNs) return undefined
  return `${dev} ${ino} ${birthtimeNs}`
}

function keep(known: Map<string, string>, folder: string, identity: string): void {
  known.delete(folder)
  known.set(folder, identity)
  const [oldest] = known.keys()
  if (known.size > mostKnown && oldest !== undefined) known.delete(oldest)
}

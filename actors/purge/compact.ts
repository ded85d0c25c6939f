import type { Clock, Log, Records } from '../ports.ts'

type Compacted = Pick<Records<unknown>, 'compact'>

/** Those that hold names, addresses and words of users. */
interface CompactPorts {
  readonly files: Compacted
  readonly uploads: Compacted
  readonly batches: Compacted
  readonly members: Compacted
  readonly runs: Compacted
  readonly webhooks: Compacted
  readonly clock: Clock
  readonly log: Log
}

interface Compaction {
  /** Something was deleted since. */
  isDue(): void
  /** Compacts when something is due, and it was not done a short while ago. */
  settle(): Promise<void>
}

/** Each costs some megabytes of writing: what is deleted in between goes together. */
const restMs = 10 * 60_000

export function createCompaction(ports: CompactPorts): Compaction {
  let isOwed = false
  let doneMs = -Infinity
  return {
    isDue() {
      isOwed = true
    },
    async settle() {
      if (!isOwed || ports.clock.elapsedMs() - doneMs < restMs) return
      isOwed = false
      doneMs = ports.clock.elapsedMs()
      try {
        for (const records of [ports.files, ports.uploads, ports.batches, ports.members, ports.runs, ports.webhooks])
          await records.compact()
      } catch (error) {
        isOwed = true
        ports.log.warn('what was deleted is still on the disk of the broker; it is tried again', { error })
      }
    },
  }
}

import { has } from '../../../actors/bitset.ts'
import { runKey } from '../../../actors/ids.ts'
import { chunksOf } from '../../../actors/run/state.ts'
import type { Chunks, RunState } from '../../../actors/run/state.ts'

/** Chunks that somebody had begun, and whose message was then gone while the record knew of no outcome. */
interface MissedChunks {
  /** Told of every change of a record that was seen. */
  changed(before: RunState | undefined, after: RunState): void
  /** Sentences about those for which there is no explanation. */
  complaints(): string[]
}

/** `taken`: chunks whose message the rig itself took away, as `file.batch.chunk`. */
export function watchMissed(taken: ReadonlySet<string>): MissedChunks {
  const missed = new Map<string, string>()
  return {
    changed(before, after) {
      const [old, now] = [before && chunksOf(before.progress), chunksOf(after.progress)]
      if (!old || !now) return
      const key = runKey(after)
      for (const chunk of vanished(old, now)) {
        const sentence = `the message of chunk ${chunk} of ${key} vanished while it was heard`
        if (!taken.has(`${key}.${chunk}`)) missed.set(`${key}.${chunk}`, sentence)
      }
      // who hears that a chunk fails for good tells so and lets the message go: the record may learn of the two in either order
      for (const place of missed.keys()) {
        const chunk = Number(place.slice(key.length + 1))
        if (place.startsWith(`${key}.`) && has(now.failed, chunk)) missed.delete(place)
      }
    },
    complaints: () => [...missed.values()],
  }
}

function vanished(before: Chunks, after: Chunks): number[] {
  return Object.entries(after.active)
    .filter(([chunk, active]) => {
      const known = before.active[Number(chunk)]
      return known?.status === 'processing' && (active.lost ?? 0) > (known.lost ?? 0)
    })
    .map(([chunk]) => Number(chunk))
}

import type { Clock, Revision } from './ports.ts'

/** What somebody saw of records, and since when, by their own clock that only goes forward: others' clocks do not decide (I11). */
export interface Sights {
  isNew(key: string): boolean
  /** How long a record has been as it is, as far as this observer knows: 0 when it sees this revision for the first time. */
  ageMs(key: string, revision: Revision): number
  /** As if it had never been seen. */
  forget(key: string): void
  /** What is not among these is forgotten. */
  keepOnly(keys: ReadonlySet<string>): void
}

export function createSights(clock: Clock): Sights {
  const seen = new Map<string, { readonly revision: Revision; readonly sinceMs: number }>()
  return {
    isNew: (key) => !seen.has(key),
    ageMs(key, revision) {
      const nowMs = clock.elapsedMs()
      const before = seen.get(key)
      if (before?.revision === revision) return nowMs - before.sinceMs
      seen.set(key, { revision, sinceMs: nowMs })
      return 0
    },
    forget(key) {
      seen.delete(key)
    },
    keepOnly(keys) {
      for (const key of seen.keys()) if (!keys.has(key)) seen.delete(key)
    },
  }
}

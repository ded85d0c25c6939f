import { setTimeout as pause } from 'node:timers/promises'

/** Waits for all of them, but not longer than this. They must not reject. */
export async function settledWithin(promises: Iterable<Promise<void>>, withinMs: number): Promise<void> {
  const enough = new AbortController()
  const overdue = pause(withinMs, undefined, { signal: enough.signal }).catch(() => undefined)
  await Promise.race([Promise.all(promises), overdue])
  enough.abort()
}

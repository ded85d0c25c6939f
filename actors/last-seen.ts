import type { Stored } from './ports.ts'

/** What a record was when this process last read or wrote it, or another did that told this one. */
export interface LastSeen<Value> {
  get(key: string): Seen<Value> | undefined
  /** Unless it is known newer. */
  keep(key: string, seen: Seen<Value>): void
  forget(key: string): void
}

export type Seen<Value> = Pick<Stored<Value>, 'value' | 'revision'>

/** One owner has some dozens of records under way; those that were not touched for longest go. */
const mostKept = 128

export function createLastSeen<Value>(): LastSeen<Value> {
  const seen = new Map<string, Seen<Value>>()
  return {
    get: (key) => seen.get(key),
    keep(key, now) {
      if ((seen.get(key)?.revision ?? 0) > now.revision) return
      seen.delete(key)
      seen.set(key, now)
      const [oldest] = seen.keys()
      if (seen.size > mostKept && oldest !== undefined) seen.delete(oldest)
    },
    forget: (key) => void seen.delete(key),
  }
}

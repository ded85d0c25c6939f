import { readFileSync } from 'node:fs'

/** Milliseconds for which the thread that asks has had a processor; where the system does not say, for which it may have had one. */
export function threadTimeMs(): number {
  try {
    const [ranNanos] = readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')
    return Number(ranNanos) / nanosPerMs
  } catch {
    return performance.now()
  }
}

const nanosPerMs = 1_000_000

const shortestSeconds = 1
/** An estimate of days is no reason to stay away for days. */
const longestSeconds = 3600

/** What a client is told to wait, in whole seconds. */
export function retryAfterSeconds(estimatedSeconds: number): number {
  return Math.min(longestSeconds, Math.max(shortestSeconds, Math.ceil(estimatedSeconds)))
}

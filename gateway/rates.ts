import { createBucket } from '../actors/bucket.ts'
import type { Bucket } from '../actors/bucket.ts'
import { FailureError } from '../actors/failure.ts'
import type { Owner } from '../actors/ids.ts'
import type { Clock } from '../actors/ports.ts'
import { networkOf } from './network.ts'

interface RateLimits {
  readonly user: Rate
  readonly address: Rate
}

interface Rate {
  /** 0 means no such limit. */
  readonly perSecond: number
  readonly burst: number
}

/** How often somebody may ask. Requests count, and so do bytes that are read whole: they take time that nobody else gets. */
export interface Rates {
  /** Before anybody knows who it is; refuses with the time to wait. */
  fromAddress(address: string): void
  /** Refuses with the time to wait. */
  byUser(owner: Owner): void
  /** A body of this user was read. */
  readFor(owner: Owner, bytes: number): void
}

/** So many bytes of a body cost as much as a request. */
const bytesPerRequest = 64 * 1024

export function openRates(limits: RateLimits, clock: Clock): Rates {
  const users = openBuckets(limits.user, clock)
  const networks = openBuckets(limits.address, clock)
  return {
    fromAddress(address) {
      const seconds = networks.take(networkOf(address))
      if (seconds !== undefined) throw tooOften('Your network', limits.address, seconds)
    },
    byUser(owner) {
      const seconds = users.take(owner)
      if (seconds !== undefined) throw tooOften('You', limits.user, seconds)
    },
    readFor: (owner, bytes) => users.charge(owner, bytes / bytesPerRequest),
  }
}

interface Buckets {
  /** The seconds to wait, when there is nothing left. */
  take(key: string): number | undefined
  charge(key: string, amount: number): void
}

/** Who has not come for as long as it takes to fill a bucket has a full one, which need not be kept. */
function openBuckets({ perSecond, burst }: Rate, clock: Clock): Buckets {
  if (perSecond === 0) return { take: () => undefined, charge: () => undefined }
  const fullAfterMs = (burst / perSecond) * 1000
  let young = new Map<string, Bucket>()
  let old = new Map<string, Bucket>()
  let turnedMs = clock.elapsedMs()
  const bucketOf = (key: string, nowMs: number): Bucket => {
    if (nowMs - turnedMs >= fullAfterMs) {
      old = nowMs - turnedMs >= 2 * fullAfterMs ? new Map() : young
      young = new Map()
      turnedMs = nowMs
    }
    const bucket = young.get(key) ?? old.get(key) ?? createBucket(burst, perSecond)
    young.set(key, bucket)
    return bucket
  }
  return {
    take(key) {
      const nowMs = clock.elapsedMs()
      const bucket = bucketOf(key, nowMs)
      return bucket.take(1, nowMs) ? undefined : bucket.secondsUntil(1, nowMs)
    },
    charge(key, amount) {
      const nowMs = clock.elapsedMs()
      bucketOf(key, nowMs).charge(amount, nowMs)
    },
  }
}

function tooOften(who: string, { perSecond, burst }: Rate, seconds: number): FailureError {
  return new FailureError({
    kind: 'retryable',
    code: 'too_many_requests',
    detail: `${who} may send ${perSecond} requests a second, and ${burst} at once; large bodies count as several.`,
    retryAfterSeconds: Math.ceil(seconds),
  })
}

import type { Clock } from './ports.ts'

/** So much at once, and no more than it refills. */
export interface Bucket {
  /** False when there is not enough; then nothing is taken. */
  take(amount: number, nowMs: number): boolean
  /** For what is known afterwards only: it may leave less than nothing, for which those who come next wait. */
  charge(amount: number, nowMs: number): void
  /** Until there is so much, if nobody takes anything meanwhile. */
  secondsUntil(amount: number, nowMs: number): number
}

export function createBucket(most: number, perSecond: number): Bucket {
  let left = most
  let since = Number.NEGATIVE_INFINITY
  const refill = (nowMs: number): void => {
    left = Math.min(most, left + (Math.max(0, nowMs - since) / 1_000) * perSecond)
    since = nowMs
  }
  return {
    take(amount, nowMs) {
      refill(nowMs)
      if (amount > left) return false
      left -= amount
      return true
    },
    charge(amount, nowMs) {
      refill(nowMs)
      left -= amount
    },
    secondsUntil(amount, nowMs) {
      refill(nowMs)
      return Math.max(0, amount - left) / perSecond
    },
  }
}

export interface Rate {
  /** 0 means no such limit. */
  readonly perSecond: number
  readonly burst: number
}

export interface Buckets {
  /** The seconds to wait, when there is nothing left. */
  take(key: string, amount: number): number | undefined
  charge(key: string, amount: number): void
}

/** Who has not come for as long as it takes to fill a bucket has a full one, which need not be kept. */
export function openBuckets({ perSecond, burst }: Rate, clock: Pick<Clock, 'elapsedMs'>): Buckets {
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
    take(key, amount) {
      const nowMs = clock.elapsedMs()
      const bucket = bucketOf(key, nowMs)
      return bucket.take(amount, nowMs) ? undefined : bucket.secondsUntil(amount, nowMs)
    },
    charge(key, amount) {
      const nowMs = clock.elapsedMs()
      bucketOf(key, nowMs).charge(amount, nowMs)
    },
  }
}

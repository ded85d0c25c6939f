/** So much at once, and no more than it refills. */
export interface Bucket {
  /** False when there is not enough; then nothing is taken. */
  take(amount: number, nowMs: number): boolean
}

export function createBucket(most: number, perSecond: number): Bucket {
  let left = most
  let since = Number.NEGATIVE_INFINITY
  return {
    take(amount, nowMs) {
      left = Math.min(most, left + (Math.max(0, nowMs - since) / 1_000) * perSecond)
      since = nowMs
      if (amount > left) return false
      left -= amount
      return true
    },
  }
}

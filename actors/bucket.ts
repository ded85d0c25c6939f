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

import type { Clock } from './ports.ts'

/** Of something that users share, how much each had lately. What is long past counts for nothing: nobody pays for ever. */
export interface RecentUse {
  of(asker: string): number
  charge(asker: string, amount: number): void
}

interface Used {
  readonly amount: number
  readonly atMs: number
}

/** After so long half of it counts. */
const halfLifeMs = 30_000
/** Less is as good as nothing, and not kept: users come and go. */
const leastKept = 1

export function createRecentUse(clock: Pick<Clock, 'elapsedMs'>): RecentUse {
  /** Who was charged longest ago is first. */
  const used = new Map<string, Used>()
  const leftOf = ({ amount, atMs }: Used): number => amount * 2 ** ((atMs - clock.elapsedMs()) / halfLifeMs)
  const of = (asker: string): number => {
    const known = used.get(asker)
    return known ? leftOf(known) : 0
  }
  return {
    of,
    charge(asker, amount) {
      const sum = of(asker) + amount
      used.delete(asker)
      used.set(asker, { amount: sum, atMs: clock.elapsedMs() })
      for (const [other, known] of used) {
        if (leftOf(known) >= leastKept) return
        used.delete(other)
      }
    },
  }
}

import { openBuckets } from '../actors/bucket.ts'
import type { Rate } from '../actors/bucket.ts'
import { FailureError } from '../actors/failure.ts'
import type { Owner } from '../actors/ids.ts'
import type { Clock } from '../actors/ports.ts'
import { networkOf } from './network.ts'

interface RateLimits {
  readonly user: Rate
  readonly address: Rate
}

/** How often somebody may ask. Requests count, and so do bytes that are read whole: they take time that nobody else gets. */
export interface Rates {
  /** Before anybody knows who it is; refuses with the time to wait. */
  fromAddress(address: string): void
  /** Refuses with the time to wait. */
  byUser(owner: Owner): void
  /** Whoever comes with a share link takes nothing from its user. Refuses with the time to wait. */
  byShareLink(linkId: string): void
  /** A body of this user was read. */
  readFor(owner: Owner, bytes: number): void
}

/** So many bytes of a body cost as much as a request. */
const bytesPerRequest = 64 * 1024

export function openRates(limits: RateLimits, clock: Clock): Rates {
  const users = openBuckets(limits.user, clock)
  const links = openBuckets(limits.user, clock)
  const networks = openBuckets(limits.address, clock)
  return {
    fromAddress(address) {
      const seconds = networks.take(networkOf(address), 1)
      if (seconds !== undefined) throw tooOften('Your network', limits.address, seconds)
    },
    byUser(owner) {
      const seconds = users.take(owner, 1)
      if (seconds !== undefined) throw tooOften('You', limits.user, seconds)
    },
    byShareLink(linkId) {
      const seconds = links.take(linkId, 1)
      if (seconds !== undefined) throw tooOften('All who use this share link', limits.user, seconds)
    },
    readFor: (owner, bytes) => users.charge(owner, bytes / bytesPerRequest),
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

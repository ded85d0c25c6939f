import { FailureError } from '../../actors/failure.ts'
import type { Owner } from '../../actors/ids.ts'
import { countPlaces } from '../../actors/place-count.ts'

export interface StreamLimits {
  readonly perUser: number
  readonly all: number
}

const comeBackSeconds = 30

/**
 * Connections that stay open: each user has a few, and all together not more than a gateway can serve. `what` they are, in the
 * plural, is for who is refused.
 */
export function openPlaces(limits: StreamLimits, what: string): { take(owner: Owner): () => void } {
  const places = countPlaces()
  return {
    take(owner) {
      const own = places.takenBy(owner)
      if (own >= limits.perUser)
        throw refused(
          'quota_exceeded',
          `You have ${own} ${what} open, and the limit is ${limits.perUser}; wait for one of them, or close it.`,
        )
      if (places.taken >= limits.all)
        throw refused('overloaded', `All ${limits.all} ${what} of this server are in use; poll the status instead.`)
      places.take(owner)
      let isHeld = true
      return () => {
        if (!isHeld) return
        isHeld = false
        places.give(owner)
      }
    },
  }
}

function refused(code: 'quota_exceeded' | 'overloaded', detail: string): FailureError {
  return new FailureError({ kind: 'retryable', code, detail, retryAfterSeconds: comeBackSeconds })
}

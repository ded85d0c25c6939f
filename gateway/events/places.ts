import { FailureError } from '../../actors/failure.ts'
import type { Owner } from '../../actors/ids.ts'

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
  const taken = new Map<Owner, number>()
  let all = 0
  return {
    take(owner) {
      const own = taken.get(owner) ?? 0
      if (own >= limits.perUser)
        throw refused(
          'quota_exceeded',
          `You have ${own} ${what} open, and the limit is ${limits.perUser}; wait for one of them, or close it.`,
        )
      if (all >= limits.all)
        throw refused('overloaded', `All ${limits.all} ${what} of this server are in use; poll the status instead.`)
      taken.set(owner, own + 1)
      all += 1
      let isHeld = true
      return () => {
        if (!isHeld) return
        isHeld = false
        all -= 1
        const left = (taken.get(owner) ?? 1) - 1
        if (left > 0) taken.set(owner, left)
        else taken.delete(owner)
      }
    },
  }
}

function refused(code: 'quota_exceeded' | 'overloaded', detail: string): FailureError {
  return new FailureError({ kind: 'retryable', code, detail, retryAfterSeconds: comeBackSeconds })
}

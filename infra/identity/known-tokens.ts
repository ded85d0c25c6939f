import { createHash } from 'node:crypto'

import type { Caller, Identify } from '../../actors/identity.ts'
import type { Clock } from '../../actors/ports.ts'

interface Known {
  readonly caller: Caller
  readonly untilElapsedMs: number
}

/** So much longer a token counts whose key its issuer has withdrawn; the key itself is kept for minutes. */
const knownMs = 10_000
const knownMax = 10_000

/**
 * A token that was found good is not verified again for a moment. That is computed in the few threads that also write uploads, so that who asked
 * for a list waited for a stranger's disk; and to have it done took a thirteenth of the gateway's own thread. A bad one is verified each time.
 */
export function knowTokens(verify: Identify, clock: Pick<Clock, 'nowMs' | 'elapsedMs'>): Identify {
  /** By a hash: what lets somebody in is not kept. The oldest is first. */
  const known = new Map<string, Known>()
  return async (token) => {
    const key = createHash('sha256').update(token).digest('base64url')
    const before = known.get(key)
    if (before && stands(before, clock)) return before.caller
    known.delete(key)
    const caller = await verify(token)
    known.set(key, { caller, untilElapsedMs: clock.elapsedMs() + knownMs })
    for (const oldest of known.keys()) {
      if (known.size <= knownMax) break
      known.delete(oldest)
    }
    return caller
  }
}

function stands({ caller, untilElapsedMs }: Known, clock: Pick<Clock, 'nowMs' | 'elapsedMs'>): boolean {
  return clock.elapsedMs() < untilElapsedMs && clock.nowMs() < (caller.untilMs ?? 0)
}

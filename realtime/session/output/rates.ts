import type { RateLimit } from '../../wire/server-events.ts'
import type { SessionLimits } from '../limits.ts'

/** Responses and tokens in each minute of a session. */
export interface Rates {
  /** False when the minute is used up; otherwise one more response counts. */
  admit(nowMs: number): boolean
  used(tokens: number, nowMs: number): void
  view(nowMs: number): readonly RateLimit[]
}

const minuteMs = 60_000

export function createRates({ responsesPerMinute, tokensPerMinute }: SessionLimits): Rates {
  let since = Number.NEGATIVE_INFINITY
  let responses = 0
  let tokens = 0

  function look(nowMs: number): void {
    if (nowMs - since < minuteMs) return
    since = nowMs
    responses = 0
    tokens = 0
  }

  return {
    admit(nowMs) {
      look(nowMs)
      if (responses >= responsesPerMinute || tokens >= tokensPerMinute) return false
      responses += 1
      return true
    },
    used(count, nowMs) {
      look(nowMs)
      tokens += count
    },
    view(nowMs) {
      look(nowMs)
      const reset = Math.round(since + minuteMs - nowMs) / 1_000
      return [
        limit('requests', responsesPerMinute, { used: responses, reset }),
        limit('tokens', tokensPerMinute, { used: tokens, reset }),
      ]
    },
  }
}

function limit(name: RateLimit['name'], most: number, { used, reset }: { used: number; reset: number }): RateLimit {
  return { name, limit: most, remaining: Math.max(0, most - used), reset_seconds: reset }
}

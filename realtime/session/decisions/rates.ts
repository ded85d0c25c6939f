import type { RateLimit } from '../../wire/server-events.ts'
import type { SessionLimits } from '../limits.ts'
import type { RateCounts } from '../state.ts'

const minuteMs = 60_000

/** Nothing when the minute is used up; otherwise one more response counts. */
export function admitted(
  rates: RateCounts,
  { responsesPerMinute, tokensPerMinute }: SessionLimits,
  nowMs: number,
): RateCounts | undefined {
  const { sinceMs, responses, tokens } = inMinute(rates, nowMs)
  if (responses >= responsesPerMinute || tokens >= tokensPerMinute) return undefined
  return { sinceMs, responses: responses + 1, tokens }
}

export function withTokens(rates: RateCounts, count: number, nowMs: number): RateCounts {
  const current = inMinute(rates, nowMs)
  return { ...current, tokens: current.tokens + count }
}

export function ratesView(
  { sinceMs, responses, tokens }: RateCounts,
  { responsesPerMinute, tokensPerMinute }: SessionLimits,
  nowMs: number,
): readonly RateLimit[] {
  const reset = Math.round(sinceMs + minuteMs - nowMs) / 1_000
  return [
    limit('requests', responsesPerMinute, { used: responses, reset }),
    limit('tokens', tokensPerMinute, { used: tokens, reset }),
  ]
}

function inMinute(rates: RateCounts, nowMs: number): RateCounts {
  return nowMs - rates.sinceMs < minuteMs ? rates : { sinceMs: nowMs, responses: 0, tokens: 0 }
}

function limit(name: RateLimit['name'], most: number, { used, reset }: { used: number; reset: number }): RateLimit {
  return { name, limit: most, remaining: Math.max(0, most - used), reset_seconds: reset }
}

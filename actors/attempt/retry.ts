import type { Failure } from '../failure.ts'

/** Doubles from the first delay up to the last one; jitter in [0, 1) spreads a herd over the second half of the delay. */
export function retryDelayMs(
  attempt: number,
  input: { readonly firstMs: number; readonly lastMs: number; readonly jitter: number },
): number {
  const fullMs = Math.min(input.lastMs, input.firstMs * 2 ** Math.max(0, attempt - 1))
  return Math.round(fullMs * (0.5 + input.jitter / 2))
}

/** How often something is tried again, and after which pauses; the last pause serves for all that follow. */
export interface RetryPolicy {
  readonly retriesMax: number
  readonly intervalsMs: readonly number[]
}

/** Pieces of work that a retry is taken to have before it, whoever its user is: what was not tried yet goes first. */
export const aheadOfRetries = 32

type NextAttempt = { readonly retry: true; readonly delayMs: number } | { readonly retry: false }

/** After attempt number `attempt`, counted from 1. Who was told to wait longer waits longer. */
export function nextAttempt(policy: RetryPolicy, attempt: number, failure: Failure): NextAttempt {
  if (failure.kind === 'terminal' || attempt > policy.retriesMax) return { retry: false }
  const interval = policy.intervalsMs[Math.min(attempt, policy.intervalsMs.length) - 1] ?? 0
  return { retry: true, delayMs: Math.max(interval, (failure.retryAfterSeconds ?? 0) * 1000) }
}

/** How a child that dies is brought back: soon at first, later after each further death, and not for ever. */
export interface RestartPolicy {
  readonly firstDelayMs: number
  readonly longestDelayMs: number
  /** More deaths than this within the window, and we give up. */
  readonly deathsMax: number
  readonly windowMs: number
}

type AfterDeath =
  | { readonly restart: true; readonly delayMs: number; readonly recentDeaths: readonly number[] }
  | { readonly restart: false; readonly recentDeaths: readonly number[] }

/** `deaths` are instants of a monotonic clock, oldest first, without the one at `nowMs`. */
export function afterDeath(policy: RestartPolicy, deaths: readonly number[], nowMs: number): AfterDeath {
  const recentDeaths = [...deaths.filter((at) => at > nowMs - policy.windowMs), nowMs]
  if (recentDeaths.length > policy.deathsMax) return { restart: false, recentDeaths }
  const delayMs = Math.min(policy.longestDelayMs, policy.firstDelayMs * 2 ** (recentDeaths.length - 1))
  return { restart: true, delayMs, recentDeaths }
}

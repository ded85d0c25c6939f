import { setTimeout as pause } from 'node:timers/promises'

import { retryDelayMs } from '../../actors/attempt/retry.ts'

const firstMs = 500
/** What was away for long is back for so long before anybody notices. */
const lastMs = 15_000

/** Resolves after a while by chance, a longer one the more often something failed, or when the signal is aborted. */
export async function pauseAfter(failures: number, signal: AbortSignal): Promise<void> {
  const delayMs = retryDelayMs(failures, { firstMs, lastMs, jitter: Math.random() })
  await pause(delayMs, undefined, { signal }).catch(() => undefined)
}

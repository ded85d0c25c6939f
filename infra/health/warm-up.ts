import { FailureError, retryable } from '../../actors/failure.ts'
import type { Dependency } from '../../actors/health/ports.ts'
import type { Clock, Log } from '../../actors/ports.ts'

interface WarmUp {
  /** Opens the models in the background. */
  readonly begin: () => void
  readonly check: Dependency
}

/** A model that could not be fetched is not asked for with every look. */
const againAfterMs = 30_000

/** Whether the models are there, for somebody who opens them before they are needed; tries again, when asked, a while after it failed. */
export function openWarmUp(open: () => Promise<unknown>, { clock, log }: { clock: Clock; log: Log }): WarmUp {
  let state: 'cold' | 'opening' | 'open' | { readonly failed: unknown; readonly atMs: number } = 'cold'
  const begin = (): void => {
    state = 'opening'
    open().then(
      () => {
        state = 'open'
      },
      (error: unknown) => {
        log.warn('models are not ready yet', { error })
        state = { failed: error, atMs: clock.elapsedMs() }
      },
    )
  }
  return {
    begin,
    async check() {
      if (state === 'open') return
      if (typeof state === 'string') throw retryable('overloaded', 'The models are being fetched and opened.')
      const { failed, atMs } = state
      if (clock.elapsedMs() - atMs >= againAfterMs) begin()
      if (failed instanceof FailureError) throw failed
      throw retryable('overloaded', 'The models could not be opened; the log says why.', failed)
    },
  }
}

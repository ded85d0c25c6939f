import { noTurn } from './chunk/quarantine.ts'
import { FailureError, sentenceOf } from './failure.ts'
import type { Failure } from './failure.ts'
import type { StepError } from './file/state.ts'

/**
 * Why an attempt failed, or nothing when it did not fail but must be left to another worker: the broker is away, so nothing
 * can be written down, this worker was told to stop, or the work never had its turn.
 */
export function whyItFailed(error: unknown, signal: AbortSignal): Failure | undefined {
  if (error === noTurn) return undefined
  if (signal.aborted) return signal.reason instanceof FailureError ? signal.reason.failure : undefined
  if (!(error instanceof FailureError)) return unforeseen
  return error.failure.code === 'broker_unavailable' ? undefined : error.failure
}

/** A bug, most likely: tried again like an outage, as often as one, and told to nobody but the log. */
const unforeseen: Failure = {
  kind: 'retryable',
  code: 'worker_failed',
  detail: 'Something went wrong on our side while working on this.',
}

export function stepErrorOf(failure: Failure, of: { attempts: number; atMs: number }): StepError {
  return { code: failure.code, message: sentenceOf(failure), ...of }
}

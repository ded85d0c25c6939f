import { FailureError, sentenceOf } from '../failure.ts'
import type { Failure } from '../failure.ts'
import type { StepError } from '../run/state.ts'
import { noTurn } from './quarantine.ts'

/**
 * Why an attempt failed, or nothing when it did not fail but must be left to another worker: the broker is away, so nothing
 * can be written down, this worker was told to stop, or the work never had its turn.
 */
export function whyItFailed(error: unknown, signal: AbortSignal): Failure | undefined {
  if (error === noTurn) return undefined
  if (signal.aborted && !isInTime(error))
    return signal.reason instanceof FailureError ? signal.reason.failure : undefined
  if (!(error instanceof FailureError)) return unforeseen
  return error.failure.code === 'broker_unavailable' ? undefined : error.failure
}

const inTime = new WeakSet<object>()

/** It failed before anybody asked it to leave off: should somebody do so while it clears up, that is not why. */
export function notedInTime(error: unknown): unknown {
  if (typeof error === 'object' && error !== null) inTime.add(error)
  return error
}

function isInTime(error: unknown): boolean {
  return typeof error === 'object' && error !== null && inTime.has(error)
}

/** A bug, most likely: tried again like an outage, as often as one, and told to nobody but the log. */
const unforeseen: Failure = {
  kind: 'retryable',
  code: 'worker_failed',
  detail: 'Something went wrong on our side while working on this.',
}

export function stepErrorOf(failure: Failure, input: { attempts: number; atMs: number }): StepError {
  return { code: failure.code, message: sentenceOf(failure), ...input }
}

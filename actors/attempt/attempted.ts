import { awayCodeOf, FailureError } from '../failure.ts'
import type { Failure } from '../failure.ts'

/** What came of one attempt. */
export type Attempted<Value> = { readonly kind: 'done'; readonly value: Value } | Failed | Left

export interface Failed {
  readonly kind: 'failed'
  readonly failure: Failure
  /** What was thrown, for the log. */
  readonly cause: unknown
}

/**
 * It did not fail but must be left for later, or to another worker: something is away that any work needs, this worker was told to stop,
 * or the work never had its turn. It counts as nothing. Who has it in hand rejects with the cause.
 */
export interface Left {
  readonly kind: 'left'
  readonly cause: unknown
}

/** Of work whose value is what it stored. */
export const simplyDone: Attempted<void> = { kind: 'done', value: undefined }

/**
 * Does what can fail, and says what came of it at that moment: should the signal be aborted afterwards, while others clear up, that
 * is not why it failed. Of parts that were attempted by themselves the work passes on what came of them.
 */
export async function outcomeOf<Value>(
  signal: AbortSignal,
  work: () => Promise<Attempted<Value>>,
): Promise<Attempted<Value>> {
  try {
    return await work()
  } catch (cause) {
    const failure = failureOf(cause, signal)
    if (failure) return { kind: 'failed', failure, cause }
    // who is told to stop has no say any more: in its own words this would be set aside for good
    const isOwnFailure = cause instanceof FailureError && awayCodeOf(cause) === undefined
    return { kind: 'left', cause: isOwnFailure ? signal.reason : cause }
  }
}

function failureOf(cause: unknown, signal: AbortSignal): Failure | undefined {
  // also when its time was over meanwhile: that went by in waiting for what was not there
  if (awayCodeOf(cause) !== undefined) return undefined
  if (signal.aborted) return signal.reason instanceof FailureError ? signal.reason.failure : undefined
  return cause instanceof FailureError ? cause.failure : unforeseen
}

/** A bug, most likely: tried again like an outage, as often as one, and told to nobody but the log. */
const unforeseen: Failure = {
  kind: 'retryable',
  code: 'worker_failed',
  detail: 'Something went wrong on our side while working on this.',
}

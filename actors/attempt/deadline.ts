import { retryable } from '../failure.ts'
import type { FailureError } from '../failure.ts'
import type { Timer } from '../ports.ts'

export function deadlineExceeded(deadlineMs: number): FailureError {
  const seconds = deadlineMs / 1000
  return retryable('deadline_exceeded', `It was not done within ${seconds} seconds, as long as one attempt may take.`)
}

/** Work within work, with a deadline of its own (I9). */
export async function withDeadline<Value>(
  timer: Timer,
  { deadlineMs, signal }: { readonly deadlineMs: number; readonly signal: AbortSignal },
  work: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const exceeded = new AbortController()
  const callOff = timer.after(deadlineMs, () => exceeded.abort(deadlineExceeded(deadlineMs)))
  try {
    return await work(AbortSignal.any([signal, exceeded.signal]))
  } finally {
    callOff()
  }
}

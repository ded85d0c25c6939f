import type { Failed } from '../attempt/attempted.ts'
import { nextAttempt } from '../attempt/retry.ts'
import type { RetryPolicy } from '../attempt/retry.ts'
import type { Clock, Log } from '../ports.ts'
import type { RunWork } from './ports.ts'
import type { RunCommand } from './protocol.ts'
import { stepErrorOf } from '../attempt/step-error.ts'

interface FailedStepPorts {
  readonly clock: Clock
  readonly log: Log
}

/** What is to be told of an attempt that failed, and whether there is another. */
export function failedStep(
  { ports, options }: { readonly ports: FailedStepPorts; readonly options: { readonly retry: RetryPolicy } },
  work: RunWork,
  { failure, cause }: Failed,
): RunCommand {
  const { batchId, fileId, step, attempt } = work
  const facts = { batchId, fileId, step, attempt }
  if (failure.kind !== 'terminal') ports.log.warn('step failed', { ...facts, error: cause })
  else ports.log.info('step failed for good', { ...facts, code: failure.code })
  if (failure.code === 'worker_failed') ports.log.error('step crashed', { ...facts, error: cause })
  const next = nextAttempt(options.retry, attempt, failure)
  return {
    type: 'StepFailed',
    step,
    attempt,
    error: stepErrorOf(failure, { attempts: attempt, atMs: ports.clock.nowMs() }),
    ...(next.retry && { delayMs: next.delayMs }),
  }
}

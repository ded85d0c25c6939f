import type { FailureError } from '../failure.ts'
import { stepErrorOf } from '../attempt/step-error.ts'
import type { StepError } from './state.ts'

export function fanOutError(error: FailureError, atMs: number): StepError {
  return stepErrorOf(
    {
      kind: 'terminal',
      code: 'fan_out_failed',
      detail: `Not all parts of the recording could be enqueued (${error.failure.code}); submit it again.`,
    },
    { attempts: 1, atMs },
  )
}

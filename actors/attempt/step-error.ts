import { sentenceOf } from '../failure.ts'
import type { Failure } from '../failure.ts'
import type { StepError } from '../run/state.ts'

/** Hundreds of them may be in one record: whoever writes more than a sentence is cut short. */
export const messageMaxBytes = 400

export function stepErrorOf(failure: Failure, input: { attempts: number; atMs: number }): StepError {
  return { code: failure.code, message: shortened(sentenceOf(failure)), ...input }
}

function shortened(message: string): string {
  const bytes = Buffer.from(message)
  if (bytes.length <= messageMaxBytes) return message
  // a character that was cut in two is left out
  return `${new TextDecoder().decode(bytes.subarray(0, messageMaxBytes), { stream: true })}…`
}

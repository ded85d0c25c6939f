import { FailureError, sentenceOf } from '../../actors/failure.ts'

/** What went wrong, for people: without a stack. */
export function errorInWords(error: unknown): string {
  if (error instanceof FailureError) return sentenceOf(error.failure)
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message
}

import { add, emptySet, union } from '../bitset.ts'
import { alike } from './state.ts'
import type { ActiveChunk, AlikeFailures, StepError, StoredFailures } from './state.ts'

/** How many different failures one record tells apart; the rest is told as one. */
export const differentFailuresMax = 16

const restCode = 'worker_failed'
const restMessage = `This part failed, as others did, and the record of this file tells ${differentFailuresMax} kinds of failures apart; the log of the worker has it.`

/**
 * The same in whatever order they come (I10): those that come first by what they say are kept, and who is not among them never will
 * be, because what is kept only moves towards the beginning.
 */
export function withFailure(stored: readonly StoredFailures[], chunk: number, error: StepError): AlikeFailures[] {
  const { code, message, attempts, atMs } = error
  const added = { code, message, attempts, atMs, chunks: add(emptySet, chunk) }
  const kinds = stored.map(alike)
  const known = kinds.findIndex((one) => orderOf(one, added) === 0)
  if (known >= 0) return kinds.with(known, together(kinds[known]!, added))
  const all = [...kinds, added].sort(orderOf)
  return all.filter((one) => !isRest(one)).length > differentFailuresMax ? withLastInRest(all) : all
}

function together(one: AlikeFailures, other: AlikeFailures): AlikeFailures {
  return {
    ...one,
    attempts: Math.max(one.attempts, other.attempts),
    atMs: Math.max(one.atMs, other.atMs),
    chunks: union(one.chunks, other.chunks),
  }
}

function withLastInRest(all: readonly AlikeFailures[]): AlikeFailures[] {
  const named = all.filter((one) => !isRest(one))
  const last = named.at(-1)!
  const rest = all.find(isRest) ?? { ...last, code: restCode, message: restMessage }
  return [...named.slice(0, -1), together(rest, last)]
}

function isRest({ code, message }: AlikeFailures): boolean {
  return code === restCode && message === restMessage
}

/** Zero when they are alike. The rest comes last. */
function orderOf(one: AlikeFailures, other: AlikeFailures): number {
  if (isRest(one) || isRest(other)) return Number(isRest(one)) - Number(isRest(other))
  return compare(one.code, other.code) || one.attempts - other.attempts || compare(one.message, other.message)
}

function compare(one: string, other: string): number {
  if (one === other) return 0
  return one < other ? -1 : 1
}

export const cancelledCode = 'cancelled'

export function cancelledAt(atMs: number, attempts: number): StepError {
  return { code: cancelledCode, message: 'It was cancelled before it was done.', attempts, atMs }
}

export function orphaned(at: { chunk: number; atMs: number }, known: ActiveChunk | undefined): StepError {
  return {
    chunk: at.chunk,
    code: 'worker_lost',
    message: 'The work on this part was lost; it is given up.',
    attempts: known?.attempt ?? 1,
    atMs: at.atMs,
  }
}

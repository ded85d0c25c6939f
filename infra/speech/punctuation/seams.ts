import type { Word } from '../asr/recogniser.ts'
import { uncapitalised } from './capitals.ts'

/** Chunks are cut in silence where there is any: with less than this between their words the cut fell into a sentence. */
const sentencePauseSeconds = 0.3

/**
 * Each chunk was punctuated by itself and ends in an end mark. Where the next word follows with hardly a pause, nobody ended a
 * sentence: the mark goes, and so does the capital after it.
 */
export function mendSeam(before: Word, after: Word): readonly [Word, Word] {
  const isSplit = after.start - before.end < sentencePauseSeconds
  if (!isSplit || before.written === undefined || !/[.।]$/u.test(before.written)) return [before, after]
  return [
    { ...before, written: before.written.slice(0, -1) },
    after.written === undefined ? after : { ...after, written: uncapitalised(after.written) },
  ]
}

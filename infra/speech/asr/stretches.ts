import type { Word } from './recogniser.ts'

/**
 * A run of words in one language that is long enough for a recogniser of that language to hear it again by itself.
 * Pure: router.ts has the recognisers.
 */
export interface Stretch {
  /** Of the words that were heard first, `last` included. */
  readonly first: number
  readonly last: number
  /** Seconds of the clip, with as much around the words as their neighbours leave. */
  readonly start: number
  readonly end: number
}

/** Less than this is a word or two inside another language: whoever hears it without the sentence hears it worse. */
const shortestSeconds = 0.8
const fewestWords = 3
/** With a pause on both sides it is no part of their sentence. */
const fewestWordsApart = 2
const apartSeconds = 0.5
/** One short word of the other language between two runs was misheard more often than said. */
const slipSeconds = 0.3
const fewestWordsBesideASlip = 3
/** With more of the pause around it Moonshine hears the first and last words worse. */
const mostBeforeSeconds = 0.2
const mostAfterSeconds = 0.3

export function stretchesOf(words: readonly Word[], language: string, clipSeconds: number): Stretch[] {
  return runsOf(words, language)
    .filter((run) => {
      const { first, last } = run
      const fewest = isApart(words, run) ? fewestWordsApart : fewestWords
      return last - first + 1 >= fewest && words[last]!.end - words[first]!.start >= shortestSeconds
    })
    .map(({ first, last }) => {
      const before = words[first - 1]?.end
      const after = words[last + 1]?.start
      const { start } = words[first]!
      const { end } = words[last]!
      return {
        first,
        last,
        start: Math.max(before === undefined ? 0 : (before + start) / 2, start - mostBeforeSeconds),
        end: Math.min(after === undefined ? clipSeconds : (end + after) / 2, end + mostAfterSeconds),
      }
    })
}

interface Run {
  readonly first: number
  last: number
}

function runsOf(words: readonly Word[], language: string): Run[] {
  const runs: Run[] = []
  words.forEach((word, at) => {
    if (word.language !== language) return
    const before = runs.at(-1)
    if (before && (before.last === at - 1 || isSlip(words, before, at))) before.last = at
    else runs.push({ first: at, last: at })
  })
  return runs
}

function isApart(words: readonly Word[], { first, last }: Run): boolean {
  const before = words[first - 1]?.end ?? -Infinity
  const after = words[last + 1]?.start ?? Infinity
  return words[first]!.start - before >= apartSeconds && after - words[last]!.end >= apartSeconds
}

function isSlip(words: readonly Word[], before: Run, at: number): boolean {
  const slip = words[at - 1]!
  if (before.last !== at - 2 || slip.end - slip.start >= slipSeconds) return false
  const following = words.slice(at, at + fewestWordsBesideASlip)
  const isLong =
    following.length === fewestWordsBesideASlip && following.every((word) => sameLanguage(word, words[at]!))
  return isLong && before.last - before.first + 1 >= fewestWordsBesideASlip
}

function sameLanguage(one: Word, other: Word): boolean {
  return one.language === other.language
}

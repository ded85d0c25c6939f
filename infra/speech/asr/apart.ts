import type { Word } from './recogniser.ts'
import { stretchesOf } from './stretches.ts'
import type { Stretch } from './stretches.ts'

/** Who changes language after this long begins a new sentence; without a pause it is one sentence in both. */
const changeSeconds = 0.25
const fewestWords = 3
const aroundSeconds = 0.5

/**
 * What lies between stretches of some languages, with a pause on both sides. Single words of them inside a sentence
 * divide nothing. Without such a stretch there are no parts. Pure: router.ts has the recognisers.
 */
export function partsBetween(words: readonly Word[], languages: readonly string[], clipSeconds: number): Stretch[] {
  const stretches = languages.flatMap((language) => stretchesOf(words, language, clipSeconds))
  const isInStretch = words.map((_, at) => stretches.some(({ first, last }) => first <= at && at <= last))
  const parts: { first: number; last: number }[] = []
  words.forEach((word, at) => {
    const last = parts.at(-1)
    const isChange = isInStretch[at] !== isInStretch[at - 1]
    if (last && !(isChange && word.start - words[at - 1]!.end >= changeSeconds)) last.last = at
    else parts.push({ first: at, last: at })
  })
  if (parts.length < 2) return []
  return parts
    .filter(({ first, last }) => last - first + 1 >= fewestWords && !isInStretch.slice(first, last + 1).includes(true))
    .map(({ first, last }) => ({ first, last, ...withQuiet(words, { first, last }, clipSeconds) }))
}

function withQuiet(
  words: readonly Word[],
  { first, last }: Pick<Stretch, 'first' | 'last'>,
  clipSeconds: number,
): Pick<Stretch, 'start' | 'end'> {
  const [before, after] = [words[first - 1]?.end, words[last + 1]?.start]
  const [{ start }, { end }] = [words[first]!, words[last]!]
  return {
    start: Math.max(before === undefined ? 0 : (before + start) / 2, start - aroundSeconds),
    end: Math.min(after === undefined ? clipSeconds : (end + after) / 2, end + aroundSeconds),
  }
}

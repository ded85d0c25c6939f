import type { EditedWord } from './state.ts'

/** A word as it is now. */
export interface TimedWord {
  readonly text: string
  readonly start: number
  readonly end: number
  /** As it is stored. */
  readonly word: EditedWord
}

interface Span {
  readonly start: number
  readonly end: number
}

/** A word that somebody wrote has no language yet. */
type RetoldWord =
  | { readonly kept: EditedWord }
  | { readonly text: string; readonly start: number; readonly end: number }

/** Beyond it words in the middle are not held against each other, which takes their number squared. */
const comparisonsMax = 250_000

/** A sentence told in other words: those that stay keep their times, and those that come have the times of those that went. */
export function retell(words: readonly TimedWord[], texts: readonly string[], around: Span): RetoldWord[] {
  const told: RetoldWord[] = []
  let [old, next] = [0, 0]
  for (const [oldAt, nextAt] of [...matches(words, texts), [words.length, texts.length] as const]) {
    const gone = words.slice(old, oldAt)
    const span = {
      start: gone[0]?.start ?? words[old - 1]?.end ?? around.start,
      end: gone.at(-1)?.end ?? words[oldAt]?.start ?? around.end,
    }
    told.push(...spread(texts.slice(next, nextAt), gone, span))
    if (oldAt < words.length) told.push({ kept: words[oldAt]!.word })
    ;[old, next] = [oldAt + 1, nextAt + 1]
  }
  return told
}

/** As many as went: each has the times of its own. Otherwise they share the time, the longer ones more of it. */
function spread(texts: readonly string[], gone: readonly TimedWord[], { start, end }: Span): RetoldWord[] {
  if (texts.length === gone.length)
    return texts.map((text, at) => ({ text, start: gone[at]!.start, end: gone[at]!.end }))
  const total = texts.reduce((sum, text) => sum + text.length, 0)
  let passed = 0
  const timeAt = (letters: number): number => rounded(start + (Math.max(0, end - start) * letters) / Math.max(1, total))
  return texts.map((text) => {
    const from = passed
    passed += text.length
    return { text, start: timeAt(from), end: timeAt(passed) }
  })
}

function rounded(seconds: number): number {
  return Math.round(seconds * 1000) / 1000
}

type Match = readonly [old: number, next: number]

/** Which words stay, in order: as many as can. */
function matches(words: readonly TimedWord[], texts: readonly string[]): Match[] {
  const isSame = (old: number, next: number): boolean => words[old]!.text === texts[next]
  let first = 0
  while (first < words.length && first < texts.length && isSame(first, first)) first += 1
  let tail = 0
  const longest = Math.min(words.length, texts.length) - first
  while (tail < longest && isSame(words.length - 1 - tail, texts.length - 1 - tail)) tail += 1
  const [olds, nexts] = [words.length - first - tail, texts.length - first - tail]
  const middle =
    olds * nexts > comparisonsMax ? [] : longestCommon(olds, nexts, (old, next) => isSame(first + old, first + next))
  return [
    ...Array.from({ length: first }, (_, at) => [at, at] as const),
    ...middle.map(([old, next]) => [first + old, first + next] as const),
    ...Array.from({ length: tail }, (_, at) => [words.length - tail + at, texts.length - tail + at] as const),
  ]
}

function longestCommon(olds: number, nexts: number, isSame: (old: number, next: number) => boolean): Match[] {
  const width = nexts + 1
  const lengths = new Uint32Array((olds + 1) * width)
  const lengthAt = (old: number, next: number): number => lengths[old * width + next]!
  for (let old = olds - 1; old >= 0; old -= 1)
    for (let next = nexts - 1; next >= 0; next -= 1)
      lengths[old * width + next] = isSame(old, next)
        ? lengthAt(old + 1, next + 1) + 1
        : Math.max(lengthAt(old + 1, next), lengthAt(old, next + 1))
  const found: Match[] = []
  for (let [old, next] = [0, 0]; old < olds && next < nexts;)
    if (isSame(old, next)) found.push([old++, next++])
    else if (lengthAt(old + 1, next) >= lengthAt(old, next + 1)) old += 1
    else next += 1
  return found
}

import { isAbbreviation } from './abbreviations.ts'

/**
 * Cuts text that is still being written into clauses, each as soon as it is complete. The clauses joined are the text,
 * character for character, however the text came in pieces.
 */
interface ClauseSplitter {
  /** The clauses that this piece completes. */
  push(piece: string): string[]
  /** What is left when the text has ended. */
  flush(): string[]
}

/** No clause is longer, in UTF-16 units: it bounds what an engine is given at once. */
export const clauseMax = 240
/** A comma ends a clause that is at least so long. The first clause is short, because somebody waits for it. */
const firstSoftMin = 20
const softMin = 70
/** Of a text that somebody waits for, by an engine that takes its time. */
const quickSoftMin = 8
const quickWords = 6
/** A clause is to be made while the one before it is heard, so that each may be so many times as long. */
const growth = 2
/** From here on a clause lasts long enough for whatever follows. */
const wordsMax = 24
/** So many must follow before a clause is cut in its middle: a word or two are not worth a clause. */
const wordsAfter = 2

const enders = '.!?…।॥؟۔'
const certainEnders = '!?…।॥؟۔\n'
const softEnders = ',;:،؛—–'
const closers = '"\'”’»)]}*_'
const spaces = /\s/u

/** `isQuick`: the first clauses are cut at the first comma, or after some words, and grow from there. */
export function createClauseSplitter({ isQuick = false } = {}): ClauseSplitter {
  let pending = ''
  const fresh = isQuick
    ? { softMin: quickSoftMin, words: quickWords }
    : { softMin: firstSoftMin, words: Number.POSITIVE_INFINITY }
  let limits = fresh

  function take(ended: boolean): string[] {
    const clauses: string[] = []
    for (;;) {
      const whole = endOfClause(pending, { ended, softMin: limits.softMin })
      const end = afterWords(pending.slice(0, whole ?? clauseMax), limits.words) ?? whole
      if (end === undefined) break
      const clause = pending.slice(0, end)
      clauses.push(clause)
      pending = pending.slice(end)
      limits = grown(limits, clause)
    }
    if (ended) {
      if (pending !== '') clauses.push(pending)
      pending = ''
      limits = fresh
    }
    return clauses
  }

  return {
    push(piece) {
      pending += piece
      return take(false)
    },
    flush: () => take(true),
  }
}

interface GrowingLimits {
  readonly softMin: number
  readonly words: number
}

function grown({ words }: GrowingLimits, clause: string): GrowingLimits {
  const more = Math.max(quickWords, growth * (clause.match(/\S+/gu)?.length ?? 0))
  return words > wordsMax || more > wordsMax
    ? { softMin, words: Number.POSITIVE_INFINITY }
    : { softMin: softMin / growth, words: more }
}

/** Past so many words of a clause that has more; not beside figures, which are read with what is around them. */
function afterWords(text: string, words: number): number | undefined {
  if (words === Number.POSITIVE_INFINITY) return undefined
  const begins = Array.from(text.matchAll(/(?<=\s)\S+/gu))
  const at = begins.findIndex(
    ({ index }, before) => before >= words - 1 && !/\d/.test(text.slice(Math.max(0, index - 12), index + 8)),
  )
  return at >= 0 && begins.length > at + wordsAfter ? begins[at]!.index : undefined
}

interface ClauseOptions {
  readonly ended: boolean
  readonly softMin: number
}

/** Where the first clause ends, past the spaces after it, or undefined when it is not known yet. */
function endOfClause(text: string, options: ClauseOptions): number | undefined {
  const bound = Math.min(text.length, clauseMax)
  let said = false
  for (let at = 0; at < bound; at += 1) {
    const character = text[at]!
    if (spaces.test(character) && character !== '\n') continue
    const isEnd = said && (endsHere(text, at, options) ?? false)
    if (isEnd) return pastSpaces(text, pastClosers(text, at + 1))
    said ||= character !== '\n' && !enders.includes(character)
  }
  return text.length > clauseMax ? lastResort(text) : undefined
}

/** Whether a clause ends with the character at this place; undefined when what follows decides and is not there yet. */
function endsHere(text: string, at: number, options: ClauseOptions): boolean | undefined {
  const character = text[at]!
  if (character === '\n') return true
  const after = pastClosers(text, at + 1)
  const next = text[after]
  if (certainEnders.includes(character)) {
    if (next === undefined) return undefined
    return !enders.includes(next)
  }
  if (next === undefined) return undefined
  if (character === '.') return spaces.test(next) && !isAbbreviation(wordBefore(text, at))
  return softEnders.includes(character) && after >= options.softMin && spaces.test(next)
}

function wordBefore(text: string, at: number): string {
  let from = at
  while (from > 0 && !spaces.test(text[from - 1]!) && !'("\'“‘['.includes(text[from - 1]!)) from -= 1
  return text.slice(from, at)
}

function pastClosers(text: string, from: number): number {
  let at = from
  while (at < text.length && at < clauseMax && closers.includes(text[at]!)) at += 1
  return at
}

function pastSpaces(text: string, from: number): number {
  let at = from
  while (at < text.length && at < clauseMax && spaces.test(text[at]!)) at += 1
  return at
}

/** A clause that nothing ends is cut after a comma, else after a word, else between two characters that can part. */
function lastResort(text: string): number {
  const part = text.slice(0, clauseMax)
  const comma = lastMatch(part, /[,;:،؛—–]\s/gu)
  if (comma !== undefined && comma > clauseMax / 3) return comma
  const space = lastMatch(part, /\s/gu)
  if (space !== undefined && space > clauseMax / 3) return space
  let at = clauseMax
  while (at > 1 && /[\p{M}\p{Join_Control}\udc00-\udfff]/u.test(text[at]!)) at -= 1
  return at > 1 ? at : clauseMax
}

function lastMatch(text: string, pattern: RegExp): number | undefined {
  const last = Array.from(text.matchAll(pattern)).at(-1)
  return last && last.index + last[0].length
}

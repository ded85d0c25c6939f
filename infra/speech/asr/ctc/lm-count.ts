import { wordBoundary, maxLmOrder, maxLmSymbols } from './lm-format.ts'
import { contextsOf } from './lm-trie.ts'
import type { LmShape } from './lm-trie.ts'

export interface CountedText {
  readonly order: number
  /** What the symbols mean, ascending. */
  readonly codePoints: Uint32Array
  readonly shape: LmShape
  /** How often each n-gram was seen. */
  readonly count: Uint32Array
}

/**
 * Counts every n-gram of the text up to the order. A line begins and ends like a word does, at a boundary; the opening
 * one is a context only, nothing that was there to be guessed.
 */
export function countText(lines: Iterable<string>, order: number): CountedText {
  if (order < 1 || order > maxLmOrder) throw new RangeError(`an order between 1 and ${maxLmOrder}, not ${order}`)
  const sentences = Array.from(lines, normalised).filter((line) => line.length > 0)
  const codePoints = alphabetOf(sentences)
  const levels = levelsOf(digitsOf(sentences, codePoints), { base: codePoints.length + 1, order })
  const count = joined(Uint32Array, [Uint32Array.of(0), ...levels.map((level) => level.count)])
  const space = 1 + codePoints.indexOf(codeOf(wordBoundary))
  count[space] = count[space]! - sentences.length
  const symbol = joined(Uint8Array, [Uint8Array.of(0), ...levels.map((level) => level.symbol)])
  const children = joined(Uint8Array, [
    ...levels.map((level) => level.childrenAbove),
    levels.at(-1)!.symbol.map(() => 0),
  ])
  return { order, codePoints, shape: { symbol, ...contextsOf(children) }, count }
}

function normalised(line: string): string {
  return line.normalize('NFC').replace(/\s+/gu, wordBoundary).trim()
}

function codeOf(char: string): number {
  return char.codePointAt(0)!
}

function alphabetOf(sentences: readonly string[]): Uint32Array {
  if (sentences.length === 0) throw new RangeError('a language model needs text')
  const seen = new Set([codeOf(wordBoundary)])
  for (const line of sentences) for (const char of line) seen.add(codeOf(char))
  if (seen.size > maxLmSymbols)
    throw new RangeError(`the text has ${seen.size} different characters; at most ${maxLmSymbols} fit`)
  return Uint32Array.from(seen).sort()
}

/** The text as digits: a symbol is its number plus one, and zero ends a line. */
function digitsOf(sentences: readonly string[], codePoints: Uint32Array): Uint8Array {
  const digitOf = new Map(Array.from(codePoints, (codePoint, symbol) => [codePoint, symbol + 1]))
  const most = sentences.reduce((sum, line) => sum + line.length + 3, 0)
  const digits = new Uint8Array(most)
  const space = digitOf.get(codeOf(wordBoundary))!
  let at = 0
  for (const line of sentences) {
    digits[at++] = space
    for (const char of line) digits[at++] = digitOf.get(codeOf(char))!
    digits[at++] = space
    at++
  }
  return digits.subarray(0, at)
}

interface Level {
  /** Of the n-grams of this length, in order: newest symbol and how often they were seen. */
  readonly symbol: Uint8Array
  readonly count: Uint32Array
  /** For each n-gram that is shorter by one: how many of these continue it. */
  readonly childrenAbove: Uint8Array
}

/** Of every place in the text it is known which n-gram begins there; all of them are made longer by one, and counted. */
function levelsOf(digits: Uint8Array, { base, order }: { base: number; order: number }): Level[] {
  if (digits.length * base >= 2 ** 32)
    throw new RangeError(`a text of ${digits.length} characters is too long to count`)
  const places = new Uint32Array(digits.length)
  const ngramAt = new Uint32Array(digits.length)
  let alive = 0
  for (let place = 0; place < digits.length; place++) if (digits[place] !== 0) places[alive++] = place
  const levels: Level[] = []
  let shorter = 1
  for (let length = 1; length <= order; length++) {
    const keys = new Uint32Array(alive)
    let kept = 0
    for (let i = 0; i < alive; i++) {
      const digit = digits[places[i]! + length - 1]!
      if (digit === 0) continue // the line ends here
      places[kept] = places[i]!
      keys[kept++] = ngramAt[i]! * base + digit
    }
    alive = kept
    const level = levelOf(keys.slice(0, alive).sort(), { base, shorter })
    number(keys.subarray(0, alive), { base, level, ngramAt })
    levels.push(level)
    shorter = level.symbol.length
  }
  return levels
}

function levelOf(sorted: Uint32Array, { base, shorter }: { base: number; shorter: number }): Level {
  const symbol = new Uint8Array(sorted.length)
  const count = new Uint32Array(sorted.length)
  const childrenAbove = new Uint8Array(shorter)
  let size = 0
  for (let i = 0; i < sorted.length; i++) {
    const key = sorted[i]!
    if (i === 0 || key !== sorted[i - 1]) {
      symbol[size++] = (key % base) - 1
      const above = Math.floor(key / base)
      childrenAbove[above] = childrenAbove[above]! + 1
    }
    count[size - 1] = count[size - 1]! + 1
  }
  return { symbol: symbol.slice(0, size), count: count.slice(0, size), childrenAbove }
}

/** Writes down for each key which n-gram of the level it is: one of the few that continue the shorter one. */
function number(
  keys: Uint32Array,
  { base, level, ngramAt }: { base: number; level: Level; ngramAt: Uint32Array },
): void {
  const first = new Uint32Array(level.childrenAbove.length)
  for (let i = 1; i < first.length; i++) first[i] = first[i - 1]! + level.childrenAbove[i - 1]!
  for (let i = 0; i < keys.length; i++) {
    const symbol = (keys[i]! % base) - 1
    let ngram = first[Math.floor(keys[i]! / base)]!
    while (level.symbol[ngram] !== symbol) ngram++
    ngramAt[i] = ngram
  }
}

function joined<Array extends Uint8Array | Uint32Array>(
  kind: new (length: number) => Array,
  parts: readonly Array[],
): Array {
  const whole = new kind(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

import type { Spellings } from './spellings.ts'

/**
 * Everything that may be heard of a text, as states in a row: before each word and behind the last a gap, which takes in silence and
 * whatever else was said; between two gaps the spellings of the word, each a row of letters with blanks between them.
 */
export interface Paths {
  readonly states: number
  /** Of each state its symbol; a gap has none. */
  readonly symbols: Int32Array
  /** By the number of the word, and one behind the last. */
  readonly gaps: Int32Array
  readonly words: readonly WordPaths[]
}

interface WordPaths {
  /** First and last letter of each spelling. */
  readonly spellings: readonly { readonly first: number; readonly last: number }[]
  /** What it costs to leave the word out. */
  readonly leaveCost: number
}

const gapSymbol = -1

/** So many may be in the row: what a text of usual words comes to, and more than numbers that are read out may take. Words behind have none. */
const statesMax = 96_000

/** In nats a letter. A word is left out when its letters are less likely than this and the cost of a stranger's letters together. */
const leaveCostALetter = 2.5

export function layOut(words: readonly Spellings[], blank: number): Paths {
  const symbols: number[] = []
  const gaps: number[] = []
  const laid = words.map((all): WordPaths => {
    gaps.push(symbols.push(gapSymbol) - 1)
    const spellings = symbols.length < statesMax ? all : []
    const letters = Math.min(...spellings.map((spelling) => spelling.length))
    return {
      spellings: spellings.map((spelling) => layOutSpelling(symbols, spelling, blank)),
      leaveCost: spellings.length === 0 ? 0 : leaveCostALetter * letters,
    }
  })
  gaps.push(symbols.push(gapSymbol) - 1)
  return { states: symbols.length, symbols: Int32Array.from(symbols), gaps: Int32Array.from(gaps), words: laid }
}

function layOutSpelling(
  symbols: number[],
  spelling: readonly number[],
  blank: number,
): { readonly first: number; readonly last: number } {
  const first = symbols.length
  spelling.forEach((letter, at) => symbols.push(...(at === 0 ? [letter] : [blank, letter])))
  return { first, last: symbols.length - 1 }
}

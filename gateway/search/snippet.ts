import type { PassageWord } from '../../actors/search/state.ts'
import type { TermsOf } from './user-index.ts'

export interface Snippet {
  /** Of the first and to the last word that was found, in seconds. */
  readonly start: number
  readonly end: number
  readonly snippet: string
}

const wordsAround = 8

/** What was found with some words around it. */
export function snippetOf(words: readonly PassageWord[], terms: ReadonlySet<string>, termsOf: TermsOf): Snippet {
  const found = words.flatMap(([text], at) => (termsOf(text).some((term) => terms.has(term)) ? [at] : []))
  const [first, last] = [found[0] ?? 0, found.at(-1) ?? words.length - 1]
  const [from, to] = [Math.max(0, first - wordsAround), Math.min(words.length, last + 1 + wordsAround)]
  const shown = words.slice(from, to).map(([text]) => text)
  return {
    start: words[first]?.[1] ?? 0,
    end: words[last]?.[2] ?? 0,
    snippet: [...(from > 0 ? ['…'] : []), ...shown, ...(to < words.length ? ['…'] : [])].join(' '),
  }
}

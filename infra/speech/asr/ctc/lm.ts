import { backOffZero, wordBoundary, lmArrays } from './lm-format.ts'
import { lmTrie } from './lm-trie.ts'
import type { LmLinks } from './lm-trie.ts'

/** A character model that is walked symbol by symbol. A state stands for the last symbols, as many as the model knows. */
export interface CharacterLm {
  /** The state at the beginning of a word, with nothing known before it. */
  readonly start: number
  /** The model's number for a character, or -1 for one that its text never had. */
  symbolOf(character: string): number
  /** Log-probability (nats) of the symbol in this state. The state after it is `next`, until the next call. */
  score(state: number, symbol: number): number
  next(): number
}

/** `links` are kept where others walk the same model. */
export function openLm(bytes: Uint8Array, links?: LmLinks): CharacterLm {
  const lm = lmArrays(bytes)
  const { logProb, backOff, step, unknown } = lm
  const { suffix, childOf, follow } = lmTrie(lm, links)
  const numberOf = new Map(Array.from(lm.codePoints, (codePoint, symbol) => [String.fromCodePoint(codePoint), symbol]))
  const symbolOf = (character: string) => numberOf.get(character) ?? -1
  let after = 0

  function score(state: number, symbol: number): number {
    let context = state
    let penalty = 0
    for (;;) {
      const ngram = symbol < 0 ? 0 : childOf(context, symbol)
      if (ngram !== 0) {
        after = follow(context, symbol)
        return -(penalty + logProb[ngram]!) * step
      }
      if (context === 0) {
        after = 0
        return unknown - penalty * step
      }
      penalty += backOff[context]! - backOffZero
      context = suffix[context]!
    }
  }

  return { start: follow(0, symbolOf(wordBoundary)), symbolOf, score, next: () => after }
}

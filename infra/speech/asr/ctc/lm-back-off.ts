import type { LmShape, LmTrie } from './lm-trie.ts'

/** Below this a difference from one has lost its digits. */
const leastDifference = 1e-6

export interface LmProbabilities {
  readonly shape: LmShape
  /** Of each n-gram's newest symbol after the others. */
  readonly probability: Float64Array
  /** What each context leaves to the symbols that it does not list. */
  readonly left: Float64Array
}

/**
 * What a context leaves, over what its suffix gives to the same symbols: the weight with which all probabilities add up
 * to one again, whichever n-grams there are.
 */
export function backOffWeights({ shape, probability, left }: LmProbabilities, trie: LmTrie): Float64Array {
  const { first, suffix, childOf } = trie
  const symbols = shape.children[0]!
  const weights = new Float64Array(suffix.length).fill(1)

  /** Of a symbol; one that the text never had is -1. */
  function probabilityAfter(context: number, symbol: number): number {
    let weight = 1
    for (let shorter = context; ; shorter = suffix[shorter]!) {
      const ngram = symbol < 0 ? 0 : childOf(shorter, symbol)
      if (ngram !== 0) return weight * probability[ngram]!
      if (shorter === 0) return weight * left[0]!
      weight *= weights[shorter]!
    }
  }

  function givenBySuffix(context: number): number {
    let given = 1
    for (let ngram = first[context]!; ngram < first[context + 1]!; ngram++)
      given -= probabilityAfter(suffix[context]!, shape.symbol[ngram]!)
    if (given > leastDifference) return given
    given = 0
    for (let symbol = -1; symbol < symbols; symbol++)
      if (symbol < 0 || childOf(context, symbol) === 0) given += probabilityAfter(suffix[context]!, symbol)
    return given
  }

  for (let context = 1; context < suffix.length; context++) weights[context] = left[context]! / givenBySuffix(context)
  return weights
}

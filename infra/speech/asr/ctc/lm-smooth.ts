import type { CountedText } from './lm-count.ts'
import { adjustedCounts, contextLengths, discountsOf } from './lm-discounts.ts'
import type { Discounts } from './lm-discounts.ts'
import type { LmTrie } from './lm-trie.ts'

export interface Smoothed {
  /** Of each n-gram's newest symbol after the others. */
  readonly probability: Float64Array
  /** What each context leaves to all symbols that it was not seen with; the empty one to those that the text never had. */
  readonly left: Float64Array
  /** With which weight a context takes what its suffix says. */
  readonly weight: Float64Array
}

/**
 * Kneser's and Ney's smoothing, as modified by Chen and Goodman: something is taken off every count, and given to all
 * symbols as the shorter context has it. Below the empty context every symbol is as likely as every other and as one
 * that the text never had.
 */
export function smoothed(text: CountedText, trie: LmTrie): Smoothed {
  const { first, suffix } = trie
  const { symbol } = text.shape
  const length = contextLengths(trie)
  const adjusted = adjustedCounts(text, trie, length)
  const discounts = discountsOf(adjusted, trie, length)
  const probability = new Float64Array(symbol.length)
  const left = new Float64Array(suffix.length)
  const weight = new Float64Array(suffix.length)
  const uniform = 1 / (text.codePoints.length + 1)

  for (let context = 0; context < suffix.length; context++) {
    const end = first[context + 1]!
    const discount = discounts[length[context]!]!
    let all = 0
    let taken = 0
    for (let ngram = first[context]!; ngram < end; ngram++) {
      all += adjusted[ngram]!
      taken += discountOf(adjusted[ngram]!, discount)
    }
    weight[context] = taken / all
    // Summed, not subtracted from one: after some contexts less is left than a double can tell from nothing.
    let others = context === 0 ? uniform : left[suffix[context]!]!
    let below = context === 0 ? end : first[suffix[context]!]!
    for (let ngram = first[context]!; ngram < end; ngram++) {
      for (; below < end && symbol[below] !== symbol[ngram]; below++) others += probability[below]!
      const lower = context === 0 ? uniform : probability[below++]!
      probability[ngram] = (adjusted[ngram]! - discountOf(adjusted[ngram]!, discount) + taken * lower) / all
    }
    if (context > 0) for (; below < first[suffix[context]! + 1]!; below++) others += probability[below]!
    left[context] = weight[context]! * others
  }
  return { probability, left, weight }
}

function discountOf(count: number, [one, two, more]: Discounts): number {
  if (count > 2) return more
  return count === 2 ? two : one
}

/** How often anything was seen after a context. */
export function countAfter(context: number, { first }: LmTrie, count: Uint32Array): number {
  let seen = 0
  for (let ngram = first[context]!; ngram < first[context + 1]!; ngram++) seen += count[ngram]!
  return seen
}

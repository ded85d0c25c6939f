import type { CountedText } from './lm-count.ts'
import type { LmTrie } from './lm-trie.ts'

/** Taken off a count of one, of two and of more. */
export type Discounts = readonly [number, number, number]

/** Where there is too little text to estimate them. */
const usualDiscounts: Discounts = [0.5, 1, 1.5]

/**
 * What Kneser and Ney count: the longest n-grams as often as they were seen, shorter ones once for each symbol before
 * them. How often a shorter one was seen says little about the places where no longer one is known.
 */
export function adjustedCounts({ shape, count, order }: CountedText, trie: LmTrie, length: Uint8Array): Uint32Array {
  const { first, suffix, childOf } = trie
  const adjusted = new Uint32Array(count.length)
  for (let context = 1; context < suffix.length; context++)
    for (let ngram = first[context]!; ngram < first[context + 1]!; ngram++) {
      const shorter = childOf(suffix[context]!, shape.symbol[ngram]!)
      adjusted[shorter] = adjusted[shorter]! + 1
    }
  for (let context = 0; context < suffix.length; context++)
    for (let ngram = first[context]!; ngram < first[context + 1]!; ngram++)
      if (length[context] === order - 1) adjusted[ngram] = count[ngram]!
      else if (adjusted[ngram] === 0) adjusted[ngram] = 1 // seen at the beginning of a line only
  return adjusted
}

/** The length of each context. */
export function contextLengths(trie: LmTrie): Uint8Array {
  const length = new Uint8Array(trie.suffix.length)
  for (let context = 0; context < length.length; context++)
    for (let ngram = trie.first[context]!; ngram < trie.first[context + 1]!; ngram++) {
      const longer = trie.contextOf(ngram)
      if (longer !== 0) length[longer] = length[context]! + 1
    }
  return length
}

/** Estimated for each length from how many n-grams have a count of one, two, three and four (Chen and Goodman, 1998). */
export function discountsOf(adjusted: Uint32Array, trie: LmTrie, length: Uint8Array): Discounts[] {
  const tallies: number[][] = []
  for (let context = 0; context < length.length; context++) {
    const tally = (tallies[length[context]!] ??= [0, 0, 0, 0, 0])
    for (let ngram = trie.first[context]!; ngram < trie.first[context + 1]!; ngram++)
      if (adjusted[ngram]! < tally.length) tally[adjusted[ngram]!]!++
  }
  return tallies.map(([, one = 0, two = 0, three = 0, four = 0]) => {
    const share = one / (one + 2 * two)
    const discounts = [
      1 - (2 * share * two) / one,
      2 - (3 * share * three) / two,
      3 - (4 * share * four) / three,
    ] as const
    return discounts.every((discount, i) => discount > 0 && discount <= i + 1) ? discounts : usualDiscounts
  })
}

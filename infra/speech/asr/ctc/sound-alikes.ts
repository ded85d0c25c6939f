import type { LogProbs } from './logits.ts'
import type { CtcVocabulary } from './vocabulary.ts'

/**
 * Letters of Hindi that differ by one thing that a narrow band or a quick voice blurs, each written as two letters.
 * Signs and their independent vowels are alike in the same way. Two spellings of one sound are not here: which of them a
 * text has is not heard.
 */
const alike = {
  breath: ['कख', 'गघ', 'चछ', 'जझ', 'टठ', 'डढ', 'तथ', 'दध', 'पफ', 'बभ'],
  placeOfTongue: ['तट', 'दड', 'थठ', 'धढ', 'नण', 'शस', 'शष', 'सष'],
  length: ['िी', 'ुू', 'इई', 'उऊ', 'ेै', 'ोौ', 'एऐ', 'ओऔ'],
  height: ['ेि', 'ोु', 'एई', 'ओउ'],
}

/** How often one letter is taken for the other: between 0.05 and 0.2 it hardly matters. */
const share = 0.05

/**
 * The recogniser is surer of a letter than it may be: it tells भरे from बरे where nobody could. Each letter lends a share of
 * its probability to those that sound like it, so that the language model may choose between them.
 */
export function lendToSoundAlikes(
  vocabulary: CtcVocabulary,
  { unheardBelow }: { readonly unheardBelow: number },
): (logProbs: LogProbs) => LogProbs {
  const pairs = pairsIn(vocabulary)
  // a frame that is as silent as this has nothing to lend that anybody would follow
  const silent = Math.log1p(-Math.exp(unheardBelow) / share)
  return ({ data, frames, symbols }) => {
    const lent = data.slice()
    const gains = new Float64Array(symbols)
    for (let row = 0; row < frames * symbols; row += symbols) {
      if (data[row + vocabulary.blank]! > silent) continue
      gains.fill(0)
      for (const [one, other] of pairs) {
        const gain = share * (Math.exp(data[row + other]!) - Math.exp(data[row + one]!))
        gains[one]! += gain
        gains[other]! -= gain
      }
      for (let at = 0; at < symbols; at++)
        if (gains[at] !== 0) lent[row + at] = Math.log(Math.exp(data[row + at]!) + gains[at]!)
    }
    return { data: lent, frames, symbols }
  }
}

function pairsIn({ symbols }: CtcVocabulary): [number, number][] {
  return Object.values(alike)
    .flat()
    .map((pair) => Array.from(pair, (letter) => symbols.indexOf(letter)))
    .flatMap(([one = -1, other = -1]) => (one < 0 || other < 0 ? [] : [[one, other]]))
}

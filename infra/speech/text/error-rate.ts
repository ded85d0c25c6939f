/**
 * Word and character error rates: the edits (insertions, deletions, substitutions) that turn what was heard into what
 * was said, over the length of what was said. Of several recordings the edits and lengths are summed, then divided.
 *
 * Both texts are normalised first: Unicode NFC, lower case, punctuation and symbols removed, white space folded.
 * Characters are code points, the space between words included.
 */
export interface ErrorRates {
  readonly wordErrorRate: number
  readonly characterErrorRate: number
  readonly words: number
  readonly characters: number
}

export function errorRates(pairs: Iterable<{ readonly said: string; readonly heard: string }>): ErrorRates {
  const edits = { words: 0, characters: 0 }
  const lengths = { words: 0, characters: 0 }
  for (const pair of pairs) {
    const said = normalisedForScoring(pair.said)
    const heard = normalisedForScoring(pair.heard)
    const saidWords = said.split(' ').filter(Boolean)
    edits.words += editDistance(saidWords, heard.split(' ').filter(Boolean))
    edits.characters += editDistance(Array.from(said), Array.from(heard))
    lengths.words += saidWords.length
    lengths.characters += Array.from(said).length
  }
  return {
    wordErrorRate: rate(edits.words, lengths.words),
    characterErrorRate: rate(edits.characters, lengths.characters),
    ...lengths,
  }
}

export function normalisedForScoring(text: string): string {
  return text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[\p{P}\p{S}\p{Cf}]/gu, '')
    .replace(/\s+/gu, ' ')
    .trim()
}

/** Levenshtein's distance, one row at a time. */
export function editDistance(from: readonly string[], to: readonly string[]): number {
  let row = Uint32Array.from({ length: to.length + 1 }, (_, i) => i)
  let below = new Uint32Array(to.length + 1)
  for (let i = 1; i <= from.length; i++) {
    below[0] = i
    for (let j = 1; j <= to.length; j++) {
      const change = row[j - 1]! + (from[i - 1] === to[j - 1] ? 0 : 1)
      below[j] = Math.min(change, row[j]! + 1, below[j - 1]! + 1)
    }
    ;[row, below] = [below, row]
  }
  return row[to.length]!
}

/** Words that nobody said are all wrong, however many there are. */
function rate(edits: number, length: number): number {
  if (length > 0) return edits / length
  return edits > 0 ? 1 : 0
}

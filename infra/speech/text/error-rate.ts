import { editDistance } from './edit-distance.ts'

/**
 * Word and character error rates: the edits (insertions, deletions, substitutions) that turn what was heard into what
 * was said, over the length of what was said. Of several recordings the edits and lengths are summed, then divided.
 *
 * Both texts are normalised first: Unicode NFC, lower case, hyphens and dashes as spaces, other punctuation and symbols
 * removed, English titles spelt out, white space folded.
 * Characters are code points, the space between words included.
 */
interface ErrorRates {
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
    edits.characters += editDistance(codesOf(said), codesOf(heard))
    lengths.words += saidWords.length
    lengths.characters += codesOf(said).length
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
    .replace(/\p{Pd}/gu, ' ')
    .replace(/[\p{P}\p{S}\p{Cf}]/gu, '')
    .split(/\s+/u)
    .filter(Boolean)
    .map((word) => titles.get(word) ?? word)
    .join(' ')
}

/** Written either way and spoken one way. */
const titles: ReadonlyMap<string, string> = new Map([
  ['mr', 'mister'],
  ['mrs', 'missus'],
  ['dr', 'doctor'],
])

function codesOf(text: string): Uint32Array {
  return Uint32Array.from(text, (character) => character.codePointAt(0)!)
}

/** Words that nobody said are all wrong, however many there are. */
export function rate(edits: number, length: number): number {
  if (length > 0) return edits / length
  return edits > 0 ? 1 : 0
}

import { plainSpelling } from '../text/numerals/hindi-numbers.ts'
import { peel } from '../text/script.ts'
import { cuesAround } from './cues.ts'
import { digitPieceOf, plainDigits } from './spoken-digits.ts'

/** Words from `from` up to `to`. */
export interface WordSpan {
  readonly from: number
  readonly to: number
}

/** Five letters, of which the fourth says whose it is, four digits, a letter. */
const panShape = /^[A-Z]{3}[ABCFGHJLPT][A-Z]\d{4}[A-Z]$/u
/** Where it is called one, a letter that was heard wrong is forgiven. */
const namedShape = /^[A-Z]{5}\d{4}[A-Z]$/u
const panCharacters = 10
/** A letter, "for", a word: three for each character. */
const wordsMax = 3 * panCharacters

const letterNames = new Map(
  `ए बी सी डी ई एफ जी एच आई जे के एल एम एन ओ पी क्यू आर एस टी यू वी डब्ल्यू एक्स वाई ज़ेड`
    .split(' ')
    .map((name, at) => [plainSpelling(name), String.fromCodePoint(65 + at)]),
)
const forWords = new Set(['for', 'फॉर', 'फ़ॉर', 'as'].map(plainSpelling))

/** Numbers of tax payers, written or spelt: "A B C P E one two three four F", "ए फॉर ऐपल". */
export function pansIn(words: readonly string[]): WordSpan[] {
  const spans: WordSpan[] = []
  for (let from = 0; from < words.length;) {
    const to = panAt(words, from)
    if (to !== undefined) spans.push({ from, to })
    from = to ?? from + 1
  }
  return spans
}

function panAt(words: readonly string[], from: number): number | undefined {
  let written = ''
  for (let at = from; at < words.length && at - from < wordsMax;) {
    const said = charactersAt(words, at)
    if (!said) return undefined
    written += said.characters
    at = said.to
    // digits never open one: most words are done with here
    if (written.length > panCharacters || !/^[A-Z]/u.test(written)) return undefined
    if (written.length < panCharacters) continue
    const isNamed = cuesAround(words, { from, to: at }).has('pan')
    return (isNamed ? namedShape : panShape).test(written) ? at : undefined
  }
  return undefined
}

/** `isRepeated`: after "double", which is followed by no other of its kind: a row of them would be gone through again from each. */
function charactersAt(
  words: readonly string[],
  at: number,
  isRepeated = false,
): { readonly characters: string; readonly to: number } | undefined {
  const core = peel(plainDigits(words[at]!)).core
  const spelt = letterNames.get(plainSpelling(core)) ?? (/^[A-Za-z]$/u.test(core) ? core.toUpperCase() : undefined)
  if (spelt !== undefined) return { characters: spelt, to: at + (isForWord(words[at + 1]) ? 3 : 1) }
  if (/^[A-Z\d]{2,10}$/u.test(core)) return { characters: core, to: at + 1 }
  const piece = digitPieceOf(core)
  if (piece?.kind === 'digits' || piece?.kind === 'tens') return { characters: piece.digits, to: at + 1 }
  if (piece?.kind !== 'times' || isRepeated) return undefined
  const next = words[at + 1] === undefined ? undefined : charactersAt(words, at + 1, true)
  return next?.characters.length === 1 ? { characters: next.characters.repeat(piece.times), to: next.to } : undefined
}

function isForWord(word: string | undefined): boolean {
  return word !== undefined && forWords.has(plainSpelling(peel(word).core))
}

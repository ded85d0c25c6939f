import { devanagarise } from '../text/devanagarise.ts'
import { loanwordInLatin } from '../text/loanwords.ts'
import { digitsInWords } from '../text/numerals/number-words.ts'
import { peel, writingSystemOf } from '../text/script.ts'
import { latinDigits } from '../tts/quantities.ts'
import { spokenText } from '../tts/spoken-text.ts'

/** Ways to spell a word of a text in the letters of a model; none where it has no sound that the model could write. */
export type Spellings = readonly (readonly number[])[]

/** No word is as long; what is longer has no sound. */
const lettersMax = 64
/** Read together: neighbours decide on the language of a word, and nobody reads more at once. */
const wordsAtOnce = 50
const soundless = '·'

/**
 * One entry a word. Numbers and signs are spelt as they are read out. Whether Hindi in Latin letters, or an English word in Devanagari, was
 * heard as the one or the other is for the model to say: both are tried.
 */
export function spellWords(words: readonly string[], symbols: readonly string[]): Spellings[] {
  const symbolOf = new Map(symbols.map((symbol, at) => [symbol, at]))
  const spelt: Spellings[] = []
  for (let from = 0; from < words.length; from += wordsAtOnce) {
    const some = words.slice(from, from + wordsAtOnce)
    const readable = some.map((word) => (word.length > lettersMax ? soundless : word))
    const spoken = spokenText(readable.join(' '), 'hi').words
    readable.forEach((word, at) => spelt.push(spellingsOf(word, spoken[at]?.spoken ?? '', symbolOf)))
  }
  return spelt
}

function spellingsOf(word: string, spoken: string, symbolOf: ReadonlyMap<string, number>): Spellings {
  const { core } = peel(word)
  const script = /^\p{L}[\p{L}\p{M}]*$/u.test(core) ? writingSystemOf(core) : 'none'
  const other = script === 'latin' ? [core, devanagarise(core)] : script === 'devanagari' ? [loanwordInLatin(core)] : []
  const texts = new Set([...readNumbers(spoken), ...other].map((text) => inLetters(text ?? '', symbolOf)))
  return [...texts].filter(Boolean).map((text) => Array.from(text, (letter) => symbolOf.get(letter)!))
}

/** Voices read digits themselves; here they are written out, all in one language or all in the other. */
function readNumbers(spoken: string): string[] {
  const text = latinDigits(spoken)
  const numbers = text.match(/\d+/g) ?? []
  if (numbers.length === 0 || text.length > lettersMax) return [spoken]
  const ways = Math.max(...numbers.map((digits) => digitsInWords(digits).length))
  return Array.from({ length: ways }, (_, way) =>
    text.replaceAll(/\d+/g, (digits) => ` ${digitsInWords(digits).at(way) ?? digitsInWords(digits)[0]} `),
  )
}

/** Only letters that the model has, and single spaces between them. */
function inLetters(text: string, symbolOf: ReadonlyMap<string, number>): string {
  const plain = text
    .toLowerCase()
    .replaceAll(/\p{Script=Latin}/gu, (letter) => letter.normalize('NFD').replace(/\p{M}/gu, ''))
  return Array.from(plain.normalize('NFC'))
    .filter((letter) => symbolOf.has(letter))
    .join('')
    .replaceAll(/ +/g, ' ')
    .trim()
}

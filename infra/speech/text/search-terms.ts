import { romanKey } from './roman-key.ts'
import { romanise } from './romanise.ts'
import { writingSystemOf } from './script.ts'

/** What may stand in a word, marks of Indian scripts and their joiners included. */
const word = /[\p{L}\p{M}\p{N}\u200c\u200d]+/gu
const onlyLatin = /^[a-z]+$/

/**
 * What the words of a text are looked up by: the same for a word in Devanagari and in the Latin letters that people type, however
 * they spell it. Words of other scripts, and numbers, stand for themselves.
 */
export function searchTerms(text: string): string[] {
  const words = text.normalize('NFC').replaceAll(/['’]/g, '').toLowerCase().match(word) ?? []
  return words.map(termOf)
}

function termOf(written: string): string {
  const latin = writingSystemOf(written) === 'devanagari' ? romanise(written).toLowerCase() : written
  const plain = latin.replaceAll('-', '')
  return onlyLatin.test(plain) ? romanKey(plain) || plain : written
}

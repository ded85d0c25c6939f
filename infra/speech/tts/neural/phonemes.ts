import { pairs } from '../../text/pairs.ts'
import type { SpokenLanguage } from '../languages.ts'

/**
 * The phoneme engine's sounds in the symbols that the neural model was taught with: for English those of its own
 * dictionary (diphthongs are one symbol, vowels have no length), for Hindi IPA as it is, and for Tamil the nearest of both.
 */
export function modelSymbols(phoneme: string, language: SpokenLanguage): string {
  const stress = /^[ˈˌ]+/u.exec(phoneme)?.[0].at(-1) ?? ''
  const sound = phoneme.slice(stress === '' ? 0 : /^[ˈˌ]+/u.exec(phoneme)![0].length)
  const table = tables[language]
  const whole = table.get(sound)
  if (whole !== undefined) return stress + whole
  const letters = Array.from(sound.normalize('NFD'))
  return stress + letters.map((letter) => table.get(letter) ?? letter).join('')
}

const everywhere = pairs('aɪ=I aʊ=W eɪ=A ɔɪ=Y tʃ=ʧ dʒ=ʤ əʊ=Q g=ɡ r.=ɽ')

const tables: Readonly<Record<SpokenLanguage, ReadonlyMap<string, string>>> = {
  en: new Map([
    ...everywhere,
    ...pairs('oʊ=O ɜː=ɜɹ ɚ=əɹ ɐ=ə əl=ᵊl ɾ=T ʔ=t r=ɹ x=k ç=k ɬ=l ʲ= iə=iə eə=ɛɹ oːɹ=ɔɹ ː= e=A'),
  ]),
  hi: new Map([...everywhere, ...pairs('oʊ=O ɬ=l')]),
  ta: new Map([...everywhere, ...pairs('oʊ=O ʉ=ɯ ɭ=l ʲ=j ɬ=l')]),
}

/** `(en)`, `(en-us)`: what follows is spoken as this language. Undefined for a sound. */
export function languageSwitch(phoneme: string): SpokenLanguage | undefined {
  const code = /^\(([a-z]{2})[a-z-]*\)$/u.exec(phoneme)?.[1]
  if (code === undefined) return undefined
  return code === 'hi' || code === 'ta' ? code : 'en'
}

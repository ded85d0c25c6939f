import { pairs } from '../../text/pairs.ts'
import type { VoiceLanguage } from '../languages.ts'

/**
 * The phoneme engine's sounds in the symbols that the neural model was taught with: for English those of its own
 * dictionary (diphthongs are one symbol, vowels have no length), for Hindi IPA as it is, and for Tamil the nearest of both.
 */
export function modelSymbols(phoneme: string, language: VoiceLanguage): string {
  const stress = /^[ˈˌ]+/u.exec(phoneme)?.[0].at(-1) ?? ''
  const audio = phoneme.slice(stress === '' ? 0 : /^[ˈˌ]+/u.exec(phoneme)![0].length)
  const table = tables[language]
  const whole = table.get(audio)
  if (whole !== undefined) return stress + whole
  const letters = Array.from(audio.normalize('NFD'))
  return stress + letters.map((letter) => table.get(letter) ?? letter).join('')
}

const everywhere = pairs('aɪ=I aʊ=W eɪ=A ɔɪ=Y tʃ=ʧ dʒ=ʤ əʊ=Q g=ɡ r.=ɽ')

const tables: Readonly<Record<VoiceLanguage, ReadonlyMap<string, string>>> = {
  en: new Map([
    ...everywhere,
    ...pairs('oʊ=O ɜː=ɜɹ ɚ=əɹ ɐ=ə əl=ᵊl ɾ=T ʔ=t r=ɹ x=k ç=k ɬ=l ʲ= iə=iə eə=ɛɹ oːɹ=ɔɹ ː= e=A'),
  ]),
  hi: new Map([...everywhere, ...pairs('oʊ=O ɬ=l')]),
  ta: new Map([...everywhere, ...pairs('oʊ=O ʉ=ɯ ɭ=l ʲ=j ɬ=l')]),
}

/** `(en)`, `(en-us)`: what follows is spoken as this language. Undefined for a audio. */
export function languageSwitch(phoneme: string): VoiceLanguage | undefined {
  const code = /^\(([a-z]{2})[a-z-]*\)$/u.exec(phoneme)?.[1]
  if (code === undefined) return undefined
  return code === 'hi' || code === 'ta' ? code : 'en'
}

import type { WordLanguage } from '../text/word-language.ts'

/** The languages that the voices have words for: numbers, currencies, months. Other scripts are left to the engine. */
export type VoiceLanguage = 'hi' | 'ta' | 'en'

/** English words in a Hindi or Tamil sentence do not make it an English one: the small words carry the sentence. */
const indianShare = 0.3

/** The language whose grammar a clause follows, which is the one that its numbers are spoken in. */
export function clauseLanguage(words: readonly WordLanguage[], voiceLanguage: VoiceLanguage): VoiceLanguage {
  const count = (language: VoiceLanguage): number => words.filter((word) => word.language === language).length
  const [hindi, tamil, english] = [count('hi'), count('ta'), count('en')]
  const all = hindi + tamil + english
  if (all === 0) return voiceLanguage
  const indian = hindi === tamil ? (voiceLanguage === 'ta' ? 'ta' : 'hi') : hindi > tamil ? 'hi' : 'ta'
  return (hindi + tamil) / all >= indianShare ? indian : 'en'
}

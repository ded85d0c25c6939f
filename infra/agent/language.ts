import { isHindiSentence, languagesOfWords } from '../speech/text/word-language.ts'

/** What the agent speaks: `hinglish` is Hindi in Latin letters. */
const spokenLanguages = ['en', 'hi', 'hinglish', 'ta'] as const
export type AgentLanguage = (typeof spokenLanguages)[number]

const tamil = /\p{Script=Tamil}/u
const devanagari = /\p{Script=Devanagari}/u

/** The language of what was said; letters go before what a recogniser thought. */
export function languageOf(text: string, heardAs?: string): AgentLanguage {
  if (tamil.test(text)) return 'ta'
  if (devanagari.test(text)) return 'hi'
  const words = text.match(/[\p{L}\p{M}']+/gu) ?? []
  if (words.length === 0) return heardAs === 'hi' || heardAs === 'ta' ? heardAs : 'en'
  return isHindiSentence(languagesOfWords(words, heardAs ?? 'en')) ? 'hinglish' : 'en'
}

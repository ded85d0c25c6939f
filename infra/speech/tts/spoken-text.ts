import type { Pronounce } from '../../../actors/conversation/ports.ts'
import { devanagarise } from '../text/devanagarise.ts'
import { peel, writingSystemOf } from '../text/script.ts'
import { languagesOfWords } from '../text/word-language.ts'
import type { WordLanguage } from '../text/word-language.ts'
import { isAbbreviation } from './abbreviations.ts'
import { clauseLanguage } from './languages.ts'
import type { VoiceLanguage } from './languages.ts'
import { pronounced } from './pronounced.ts'
import { readOut } from './read-out.ts'

/** A clause as it is spoken: numbers and signs as words, each word in the script of its language. */
export interface SpokenText {
  readonly language: VoiceLanguage
  /** One for each word of the written clause, in order. */
  readonly words: readonly WordToSpeak[]
  readonly end: Pause
}

interface WordToSpeak {
  readonly written: string
  /** Empty when there is nothing to say, as for an emoji; more than one word for a number or a sign. */
  readonly spoken: string
  readonly pause: Pause
}

export type Pause = '' | ',' | '.' | '?' | '!'

/** Latin letters are Hindi only when the sentence makes it likely: an English voice mostly reads English. */
const hindiConfidence = { hi: 0.5, en: 0.75, ta: 0.85 } as const

/** `pronounce`: how whoever has it spoken wants words to be said. */
export function spokenText(clause: string, voiceLanguage: VoiceLanguage, pronounce?: Pronounce): SpokenText {
  const written = clause.split(/\s+/u).filter(Boolean)
  const parts = pronounced(written.map(cleaned), pronounce)
  const clean = parts.flat().map(cleaned)
  const languages = languagesHeard(clean, voiceLanguage)
  const language = clauseLanguage(languages, voiceLanguage)
  const read = readOut(clean, language)
  let last = -1
  const words = written.map((word, at) => {
    const first = last + 1
    last += parts[at]!.length
    const spoken = read.slice(first, last + 1).map((text, part) => inItsScript(text, languages[first + part]!))
    return {
      written: word,
      spoken: spoken.join(' ').replace(/\s+/gu, ' ').trim(),
      pause: pauseAfter(clean[last]!, last === clean.length - 1),
    }
  })
  return { language, words, end: words.findLast(({ spoken }) => spoken !== '')?.pause ?? '' }
}

/** Well-formed, composed, and without what has no sound: controls, joiners outside words, emoji, marks on nothing. */
function cleaned(word: string): string {
  return word
    .toWellFormed()
    .normalize('NFKC')
    .replaceAll(/[\p{C}\p{Emoji_Presentation}\p{Extended_Pictographic}\p{Variation_Selector}\ufffd]/gu, (character) =>
      character === '\u200c' || character === '\u200d' ? character : '',
    )
    .replaceAll(/(?<![\p{L}\p{M}])[\p{M}\p{Join_Control}]+/gu, '')
    .replaceAll(/(\p{M})\1{2,}|(\p{M}{4})\p{M}+/gu, '$1$2')
}

function languagesHeard(words: readonly string[], voiceLanguage: VoiceLanguage): WordLanguage[] {
  const heard = languagesOfWords(words, voiceLanguage === 'hi' ? 'hi' : 'en')
  const sure = heard.map((word, at) => {
    if (word.language !== 'hi' || writingSystemOf(words[at]!) !== 'latin') return word
    const { core } = peel(words[at]!)
    const isWord = /^[\p{L}'’-]+$/u.test(core) && !/^\p{Lu}{2,}$/u.test(core)
    return isWord && word.confidence >= hindiConfidence[voiceLanguage] ? word : english
  })
  if (clauseLanguage(sure, voiceLanguage) !== 'en') return sure
  // in an English sentence one such word alone is English that nobody listed, and a capital is a name
  const isAlone = (at: number): boolean => sure[at - 1]?.language !== 'hi' && sure[at + 1]?.language !== 'hi'
  return sure.map((word, at) => {
    if (word.language !== 'hi' || writingSystemOf(words[at]!) !== 'latin') return word
    return isAlone(at) || /^\p{Lu}/u.test(peel(words[at]!).core) ? english : word
  })
}

const english: WordLanguage = { language: 'en', confidence: 1 }

function inItsScript(text: string, { language }: WordLanguage): string {
  if (language !== 'hi' || writingSystemOf(text) !== 'latin') return speakable(text)
  return text
    .split(' ')
    .map((word) => devanagarise(peel(word).core))
    .join(' ')
}

/** What the engine would take for markup, or say the name of, goes: it is given words. */
function speakable(text: string): string {
  return text
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Join_Control}'’.\- ]/gu, ' ')
    .replaceAll(/(?<![\p{L}\p{M}\p{N}])['’.-]+|['’.-]+(?![\p{L}\p{M}\p{N}])/gu, ' ')
}

function pauseAfter(word: string, last: boolean): Pause {
  const { core, after } = peel(word)
  if (!last && after === '.' && isAbbreviation(core)) return ''
  if (/[?؟]/u.test(after)) return '?'
  if (after.includes('!')) return '!'
  if (/[.…।॥۔]/u.test(after)) return '.'
  return /[,;:،؛—–)]/u.test(after) || /^[—–-]+$/u.test(word) ? ',' : ''
}

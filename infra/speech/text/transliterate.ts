import { devanagarise } from './devanagarise.ts'
import { loanwordInDevanagari } from './loanwords.ts'
import { romanise } from './romanise.ts'
import { peel, writingSystemOf } from './script.ts'
import { isHindiSentence } from './word-language.ts'

/**
 * One transcript in three scripts. `mixed`: as it was heard, Hindi in Devanagari and English in Latin letters, romanised
 * Hindi in Devanagari too. `native`: the same, but a single English word in a Hindi sentence is in Devanagari where
 * Hindi writes it so (ऑफिस). `latin`: Latin letters only.
 * Numbers and punctuation stay as they were, and so do words in any other script; only the danda becomes a full stop
 * among Latin letters.
 */
export type ScriptChoice = 'native' | 'latin' | 'mixed'

interface LanguageWord {
  readonly word: string
  readonly language: string
}

/** The words of one segment, in order, each written in the chosen script. */
export function renderWords(words: readonly LanguageWord[], choice: ScriptChoice): string[] {
  const borrows = choice === 'native' && isHindiSentence(words)
  const english = words.map(isEnglish)
  return words.map(({ word, language }, at) => {
    const { before, core, after } = peel(word)
    const isBorrowed = borrows && english[at] && !english[at - 1] && !english[at + 1]
    const written = isBorrowed ? (loanwordInDevanagari(core) ?? core) : renderCore({ word: core, language }, choice)
    return before + written + (choice === 'latin' ? after.replace(/[।॥]/gu, '.') : after)
  })
}

function isEnglish({ word, language }: LanguageWord): boolean {
  return language === 'en' && writingSystemOf(word) === 'latin'
}

function renderCore({ word, language }: LanguageWord, choice: ScriptChoice): string {
  const script = writingSystemOf(word)
  if (choice === 'latin') return script === 'devanagari' ? romanise(word) : word
  return script === 'latin' && language === 'hi' ? devanagarise(word) : word
}

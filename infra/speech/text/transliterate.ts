import { devanagarise } from './devanagarise.ts'
import { loanwordInDevanagari, loanwordInLatin } from './loanwords.ts'
import { romanise } from './romanise.ts'
import { peel, scriptOf } from './script.ts'

/**
 * One transcript in three scripts. `native`: Devanagari all through a Hindi sentence, the English words in it too, as
 * far as we know how Hindi writes them. `latin`: Latin letters only. `mixed`: each word in the script of its language.
 * Numbers and punctuation stay as they were, and so do words in any other script.
 */
export type ScriptChoice = 'native' | 'latin' | 'mixed'

export interface SpokenWord {
  readonly word: string
  readonly language: string
}

/** The words of one segment, in order, each written in the chosen script. */
export function renderWords(words: readonly SpokenWord[], choice: ScriptChoice): string[] {
  const hindi = words.some(({ language }) => language === 'hi')
  return words.map(({ word, language }) => {
    const { before, core, after } = peel(word)
    return before + (choice === 'native' && !hindi ? core : renderCore({ word: core, language }, choice)) + after
  })
}

function renderCore({ word, language }: SpokenWord, choice: ScriptChoice): string {
  const script = scriptOf(word)
  const english = language === 'en'
  if (script === 'devanagari') {
    if (choice === 'latin') return romanise(word)
    return choice === 'mixed' && english ? (loanwordInLatin(word) ?? word) : word
  }
  if (script !== 'latin' || choice === 'latin') return word
  if (english) return choice === 'native' ? (loanwordInDevanagari(word) ?? word) : word
  return language === 'hi' ? devanagarise(word) : word
}

import type { Script } from '../../actors/transcript/state.ts'
import type { Word } from './asr/recogniser.ts'
import { renderWords } from './text/transliterate.ts'
import { languagesOfWords } from './text/word-language.ts'
import type { WordLanguage } from './text/word-language.ts'

/** The words of a sentence as a reader gets them. */
export interface Written {
  readonly words: readonly string[]
  readonly languages: readonly WordLanguage[]
}

/** `heardAs` is what the recogniser took the language for. */
export function writeDown(sentence: readonly Word[], heardAs: string, script: Script): Written {
  const languages = languagesOfWords(
    sentence.map(({ text }) => text),
    heardAs,
  )
  const spoken = sentence.map(({ text }, index) => ({ word: text, language: languages[index]!.language }))
  return { words: renderWords(spoken, script), languages }
}

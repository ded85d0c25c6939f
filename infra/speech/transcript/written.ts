import type { Script } from '../../../actors/transcript/state.ts'
import type { Word } from '../asr/recogniser.ts'
import { renderWords } from '../text/transliterate.ts'
import { languagesOfWords } from '../text/word-language.ts'
import type { WordLanguage } from '../text/word-language.ts'

/** The words of a sentence as a reader gets them. */
interface WrittenSentence {
  readonly words: readonly string[]
  /** The same with capitals and marks, as far as they were punctuated. */
  readonly punctuated: readonly string[]
  readonly languages: readonly WordLanguage[]
}

export function writeDown(sentence: readonly Word[], heardAs: string, script: Script): WrittenSentence {
  const languages = languagesOf(sentence, heardAs)
  const inScript = (wordOf: (word: Word) => string): string[] =>
    renderWords(
      sentence.map((word, index) => ({ word: wordOf(word), language: languages[index]!.language })),
      script,
    )
  return {
    words: inScript(({ text }) => text),
    punctuated: inScript(({ text, written = text }) => written),
    languages,
  }
}

/** As the recogniser told them word by word, else guessed; `heardAs` is what it took the language of the whole for. */
export function languagesOf(sentence: readonly Word[], heardAs: string): WordLanguage[] {
  const guessed = languagesOfWords(
    sentence.map(({ text }) => text),
    heardAs,
  )
  return sentence.map(({ language }, index) => (language === undefined ? guessed[index]! : { language, confidence: 1 }))
}

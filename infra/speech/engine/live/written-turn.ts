import type { TranscribedTurn } from '../../../../actors/conversation/ports.ts'
import type { Word } from '../../asr/recogniser.ts'
import type { Punctuator } from '../../punctuation/punctuator.ts'
import { endsSentence } from '../../punctuation/marks.ts'
import { languageMixOf } from '../../text/word-language.ts'
import type { WordLanguage } from '../../text/word-language.ts'
import { sentencesOf } from '../../transcript/sentences.ts'
import { writeDown } from '../../transcript/written.ts'

/** A word as a reader gets it. */
export interface WrittenWord {
  readonly word: Word
  readonly text: string
  readonly language: WordLanguage
}

/** As far as the punctuation looks back. */
export const contextWords = 40

/** What follows in a turn, in its written form; what was written before keeps its marks. */
export async function writeOn(
  punctuator: Punctuator,
  before: readonly WrittenWord[],
  { words, language }: { readonly words: readonly Word[]; readonly language: string },
): Promise<WrittenWord[]> {
  const open = openSentence(before).map(({ word }) => word)
  const punctuated = await punctuator.punctuate([...open, ...words])
  return writtenWords(punctuated, language).slice(open.length)
}

/** Words with marks, in the letters of their language. */
export function writtenWords(words: readonly Word[], heardAs: string): WrittenWord[] {
  return sentencesOf(words).flatMap((sentence) => {
    const { punctuated, languages } = writeDown(sentence, heardAs, 'mixed')
    return sentence.map((word, at) => ({ word, text: punctuated[at]!, language: languages[at]! }))
  })
}

export function transcribedTurn(
  words: readonly WrittenWord[],
  { heardAs, seconds }: { readonly heardAs: string; readonly seconds: number },
): TranscribedTurn {
  const mix = languageMixOf(words.map(({ language }) => language))
  const languages = mix.languages.map(({ code }) => code)
  return {
    text: words.map(({ text }) => text).join(' '),
    languages: languages.length > 0 ? languages : [heardAs],
    seconds,
  }
}

function openSentence(before: readonly WrittenWord[]): readonly WrittenWord[] {
  const ended = before.findLastIndex(({ text }) => endsSentence(text))
  return before.slice(Math.max(ended + 1, before.length - contextWords))
}

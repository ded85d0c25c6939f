import type { Writing } from '../../../actors/edit/ports.ts'
import { redact } from '../redaction/redact.ts'
import { languagesOfWords } from '../text/word-language.ts'
import { segmentText } from '../transcript/pieces.ts'

/** How words that a person wrote are taken: as those are that were heard. */
export const writing: Writing = {
  languagesOf: (words, segmentLanguage) => languagesOfWords(words, segmentLanguage).map(({ language }) => language),
  textOf: segmentText,
  redact,
}

import type { WritingOptions } from '../../../actors/transcript/ports.ts'
import type { FileResult, Script, Segment, SpokenWord, StoredTranscript } from '../../../actors/transcript/state.ts'
import { renderWords } from '../text/transliterate.ts'
import { segmentText } from '../transcript/pieces.ts'
import { withoutFillers } from './clean-words.ts'
import type { SpokenSegment } from './clean-words.ts'
import { inFigures } from './in-figures.ts'

/** A transcript in the script that is asked for now, made from the words as they were heard; nothing is heard again. */
export function rewrite(
  transcript: Omit<StoredTranscript, 'chunks'>,
  { script, tags, numerals = 'false', style = 'verbatim' }: WritingOptions,
): FileResult {
  const { result, spoken, punctuated } = transcript
  const isOther = script !== undefined && script !== result.script
  if (!isOther && tags && numerals === 'false' && style === 'verbatim') return result
  const segments = result.segments.map((said, at) => {
    const whole = { segment: said, spoken: spoken?.[at], punctuated: punctuated?.[at] }
    const heard = style === 'clean' ? withoutFillers(whole) : whole
    const written = isOther ? inScript(heard, script) : heard.segment
    return withText(inFigures(tags ? written : { ...written, tags: [] }, heard.spoken, numerals))
  })
  return {
    ...result,
    text: segments.map(({ text }) => text).join(' '),
    segments,
    ...(isOther && { script }),
  }
}

/** Without the words as they were heard, those that were written down have to do. */
function inScript({ segment, spoken, punctuated }: SpokenSegment, script: Script): Segment {
  const render = (wordOf: (word: SpokenWord, at: number) => string): string[] =>
    renderWords(
      segment.words.map((word, at) => ({ word: wordOf(word, at), language: word.language })),
      script,
    )
  const bare = render(({ word }, at) => spoken?.[at] ?? word)
  const marked = render(({ word, punctuated_word: own = word }, at) => punctuated?.[at] ?? own)
  const words = segment.words.map((word, at) => ({
    ...word,
    word: bare[at]!,
    ...(word.punctuated_word !== undefined && { punctuated_word: marked[at]! }),
  }))
  return { ...segment, words }
}

/** A segment without words keeps what it says. */
function withText(segment: Segment): Segment {
  return segment.words.length === 0 ? segment : { ...segment, text: segmentText(segment) }
}

import type { NumeralChoice, Segment, SpokenWord } from '../../../actors/transcript/state.ts'
import { marksIn } from '../punctuation/marks.ts'
import { figuresIn } from '../text/numerals/figures.ts'
import type { FigureSpan } from '../text/numerals/figures.ts'
import { inDevanagariDigits } from '../text/numerals/write-number.ts'
import { peel } from '../text/script.ts'

/** A segment with its numbers as figures. They are found in the words as they were heard, whatever script these are in now. */
export function inFigures(segment: Segment, spoken: readonly string[] | undefined, numerals: NumeralChoice): Segment {
  if (numerals === 'false') return segment
  const { words } = segment
  const spans = figuresIn(
    words.map(({ word, punctuated_word: form = word }, at) => ({
      text: marksIn(spoken?.[at] ?? word).bare,
      isMarked: marksIn(form).mark !== '',
    })),
  )
  const written: SpokenWord[] = []
  let at = 0
  for (const span of spans) {
    written.push(...words.slice(at, span.from), merged(words.slice(span.from, span.to), span))
    at = span.to
  }
  written.push(...words.slice(at))
  return { ...segment, words: numerals === 'devanagari' ? written.map(withDevanagariDigits) : written }
}

/** A figure lasts as long as the words that it is made of, and keeps the marks around them. */
function merged(words: readonly SpokenWord[], span: FigureSpan): SpokenWord {
  const [first, last] = [words[0]!, words.at(-1)!]
  const times = { start: first.start, end: last.end, confidence: Math.min(...words.map((one) => one.confidence)) }
  const { before } = peel(first.punctuated_word ?? first.word)
  const { after } = peel(last.punctuated_word ?? last.word)
  const kept = 'kept' in span ? words[span.kept - span.from]! : undefined
  const bare = 'figure' in span ? span.figure : peel(kept!.word).core
  const form = before + bare + after
  return {
    ...(last.punctuated_word === undefined ? { word: form } : { word: bare, punctuated_word: form }),
    ...times,
    language: kept?.language ?? 'und',
  }
}

function withDevanagariDigits(word: SpokenWord): SpokenWord {
  const { punctuated_word: form } = word
  return {
    ...word,
    word: inDevanagariDigits(word.word),
    ...(form !== undefined && { punctuated_word: inDevanagariDigits(form) }),
  }
}

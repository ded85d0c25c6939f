import { alignLimits } from '../../../actors/transcript/state.ts'
import type { FileResult, Script, Segment, SpokenWord } from '../../../actors/transcript/state.ts'
import { languageMixOf, languagesOfWords } from '../text/word-language.ts'
import { rounded } from '../transcript/rounded.ts'
import { alignWords } from './align-text.ts'
import type { AlignedWord } from './align-text.ts'
import type { Emissions } from './emissions.ts'

interface AlignmentParts {
  readonly saidText: string
  readonly emissions: readonly Emissions[]
  readonly durationSeconds: number
  readonly model: string
  readonly script: Script
  readonly warnings: readonly string[]
}

/** A text as the transcript of its recording: each of its lines is a segment. */
export function alignedResult(parts: AlignmentParts): FileResult {
  const { saidText, emissions, durationSeconds, model, script, warnings } = parts
  const lines = saidText
    .split(/\r\n|[\n\r\u0085\u2028\u2029]/u)
    .map((line) => ({ text: line.trim(), words: line.split(/\s+/u).filter(Boolean) }))
    .filter(({ words }) => words.length > 0)
  const times = alignWords(
    lines.flatMap(({ words }) => words),
    emissions,
    durationSeconds,
  )
  let from = 0
  const segments = lines.map(({ text, words }) => {
    const own = times.slice(from, from + words.length)
    from += words.length
    return segmentOf({ text, model, words: wordsOf(words, own) })
  })
  const { language, languages } = languageMixOf(segments.flatMap(({ words }) => words))
  return {
    text: lines.map(({ text }) => text).join('\n'),
    language,
    languages,
    duration_seconds: rounded(durationSeconds),
    segments,
    model,
    script,
    warnings: [...warnings, ...tooLongOf(durationSeconds)],
  }
}

function tooLongOf(seconds: number): string[] {
  if (seconds <= alignLimits.seconds) return []
  return [
    `The recording lasts ${Math.round(seconds)} seconds, and a text is laid over at most ${alignLimits.seconds}: its words only share the time.`,
  ]
}

function wordsOf(words: readonly string[], times: readonly AlignedWord[]): SpokenWord[] {
  const languages = languagesOfWords(words)
  return words.map((word, at) => {
    const { start, end, confidence, isFound } = times[at]!
    return {
      word,
      start: rounded(start),
      end: rounded(end),
      language: languages[at]!.language,
      confidence: rounded(confidence),
      ...(!isFound && { interpolated: true as const }),
    }
  })
}

function segmentOf({ text, model, words }: Pick<Segment, 'text' | 'model' | 'words'>): Segment {
  const confidence = words.reduce((sum, word) => sum + word.confidence, 0) / words.length
  return {
    start: words[0]!.start,
    end: words.at(-1)!.end,
    text,
    language: languageMixOf(words).language,
    confidence: rounded(confidence),
    words,
    tags: [],
    model,
  }
}

import { z } from 'zod'

import type { FileResult, Segment, SpokenWord } from '../../actors/transcript/state.ts'
import type { TranscriptionForm } from './form.ts'

/** Transcripts as OpenAI's clients know them. */

const seconds = z.number()
const usage = z.strictObject({ type: z.literal('duration'), seconds })

export const transcription = z.strictObject({ text: z.string(), usage }).meta({ id: 'Transcription' })

export const verboseTranscription = z
  .looseObject({
    task: z.literal('transcribe'),
    language: z.string().describe('Its English name, in lower case.'),
    duration: seconds,
    text: z.string(),
    segments: z.array(z.looseObject({ id: z.int(), start: seconds, end: seconds, text: z.string() })).optional(),
    words: z.array(z.looseObject({ word: z.string(), start: seconds, end: seconds })).optional(),
    usage,
  })
  .meta({ id: 'VerboseTranscription' })

const languageNames = new Intl.DisplayNames(['en'], { type: 'language' })

export function presentPlain({ text, duration_seconds: duration }: FileResult): z.input<typeof transcription> {
  return { text, usage: { type: 'duration', seconds: duration } }
}

export function presentVerbose(
  result: FileResult,
  { timestamp_granularities: wanted }: TranscriptionForm,
): z.input<typeof verboseTranscription> {
  const { text, language, duration_seconds: duration, segments } = result
  return {
    task: 'transcribe',
    language: language === 'und' ? 'unknown' : (languageNames.of(language) ?? language).toLowerCase(),
    duration,
    text,
    ...(wanted.includes('segment') && { segments: segments.map(segmentOf) }),
    ...(wanted.includes('word') && { words: segments.flatMap(({ words }) => words.map(wordOf)) }),
    usage: { type: 'duration', seconds: duration },
  }
}

/** What is not measured here has the value that says nothing. */
function segmentOf({ start, end, text, confidence, language }: Segment, id: number) {
  return {
    id,
    seek: 0,
    start,
    end,
    text,
    tokens: [],
    temperature: 0,
    avg_logprob: Math.log(Math.max(confidence, Number.EPSILON)),
    compression_ratio: 1,
    no_speech_prob: 0,
    language,
  }
}

function wordOf({ word, start, end, language, confidence }: SpokenWord) {
  return { word, start, end, language, confidence }
}

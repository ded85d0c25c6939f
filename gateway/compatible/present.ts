import { z } from 'zod'

import type { FileResult, Segment, SpokenWord } from '../../actors/transcript/state.ts'
import { gapList } from '../batches/result-schemas.ts'
import type { TranscriptionForm } from './form.ts'

/** Transcripts as OpenAI's clients know them. */

const seconds = z.number()
const usage = z.strictObject({ type: z.literal('duration'), seconds })

const logprob = z.strictObject({
  token: z.string().describe('A word, with the space before it.'),
  logprob: z.number(),
  bytes: z.array(z.int()).describe('The word in UTF-8.'),
})

export const transcription = z
  .strictObject({ text: z.string(), logprobs: z.array(logprob).optional(), usage })
  .meta({ id: 'Transcription' })

export const verboseTranscription = z
  .looseObject({
    task: z.literal('transcribe'),
    language: z.string().describe('Its English name, in lower case.'),
    duration: seconds,
    text: z.string(),
    segments: z.array(z.looseObject({ id: z.int(), start: seconds, end: seconds, text: z.string() })).optional(),
    words: z.array(z.looseObject({ word: z.string(), start: seconds, end: seconds })).optional(),
    gaps: gapList,
    warnings: z.array(z.string()).describe('What to know before it is trusted, as sentences.'),
    usage,
  })
  .meta({ id: 'VerboseTranscription' })

export const diarizedTranscription = z
  .strictObject({
    task: z.literal('transcribe'),
    duration: seconds,
    text: z.string(),
    segments: z.array(
      z.strictObject({
        type: z.literal('transcript.text.segment'),
        id: z.string(),
        start: seconds,
        end: seconds,
        text: z.string(),
        speaker: z.string().describe('`A` is who spoke first; empty where nobody could tell.'),
      }),
    ),
    usage,
  })
  .meta({ id: 'DiarizedTranscription' })

const languageNames = new Intl.DisplayNames(['en'], { type: 'language' })

export function presentPlain(result: FileResult, { include }: TranscriptionForm): z.input<typeof transcription> {
  const { text, duration_seconds: duration, segments } = result
  const words = segments.flatMap((segment) => segment.words)
  return {
    text,
    ...(include.includes('logprobs') && { logprobs: words.map(logprobOf) }),
    usage: { type: 'duration', seconds: duration },
  }
}

export function presentVerbose(
  result: FileResult,
  { timestamp_granularities: wanted }: TranscriptionForm,
): z.input<typeof verboseTranscription> {
  const { text, language, duration_seconds: duration, segments, gaps, warnings } = result
  return {
    task: 'transcribe',
    language: language === 'und' ? 'unknown' : (languageNames.of(language) ?? language).toLowerCase(),
    duration,
    text,
    ...(wanted.includes('segment') && { segments: segments.map(segmentOf) }),
    ...(wanted.includes('word') && { words: segments.flatMap(({ words }) => words.map(wordOf)) }),
    ...(gaps && { gaps: gaps.map((gap) => ({ ...gap })) }),
    warnings: [...warnings],
    usage: { type: 'duration', seconds: duration },
  }
}

export const translation = z
  .looseObject({ text: z.string(), usage, translated_by: z.string() })
  .meta({ id: 'Translation' })

export const verboseTranslation = z
  .looseObject({
    task: z.literal('translate'),
    language: z.literal('english'),
    duration: seconds,
    text: z.string(),
    segments: z.array(z.looseObject({ id: z.int(), start: seconds, end: seconds, text: z.string() })),
    usage,
    translated_by: z.string().describe('The chat model; empty where nothing was said.'),
  })
  .meta({ id: 'VerboseTranslation' })

export function presentTranslation(result: FileResult, translatedBy: string): z.input<typeof translation> {
  const { text, duration_seconds: duration } = result
  return { text, usage: { type: 'duration', seconds: duration }, translated_by: translatedBy }
}

export function presentVerboseTranslation(
  result: FileResult,
  translatedBy: string,
): z.input<typeof verboseTranslation> {
  const segments = result.segments.map(segmentOf)
  const common = presentTranslation(result, translatedBy)
  return { task: 'translate', language: 'english', duration: result.duration_seconds, ...common, segments }
}

export function presentDiarized(result: FileResult): z.input<typeof diarizedTranscription> {
  const { text, duration_seconds: duration, segments } = result
  const speakerIn = ({ speech_information: heard }: Segment): string | undefined => heard?.speaker_id
  const speakers = [...new Set(segments.map(speakerIn))].filter((speaker) => speaker !== undefined)
  return {
    task: 'transcribe',
    duration,
    text,
    segments: segments.map((segment, id) => ({
      type: 'transcript.text.segment',
      id: `seg_${id}`,
      start: segment.start,
      end: segment.end,
      text: segment.text,
      speaker: letterOf(speakers.indexOf(speakerIn(segment) ?? '')),
    })),
    usage: { type: 'duration', seconds: duration },
  }
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'

/** A, B, … Z, AA, AB, …; nothing below the first. */
function letterOf(place: number): string {
  if (place < 0) return ''
  const last = letters[place % letters.length] ?? ''
  return place < letters.length ? last : letterOf(Math.floor(place / letters.length) - 1) + last
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
    avg_logprob: naturalLog(confidence),
    compression_ratio: 1,
    no_speech_prob: 0,
    language,
  }
}

function naturalLog(confidence: number): number {
  return Math.log(Math.max(confidence, Number.EPSILON))
}

function logprobOf({ word, confidence }: SpokenWord, place: number): z.input<typeof logprob> {
  const token = place === 0 ? word : ` ${word}`
  return { token, logprob: naturalLog(confidence), bytes: [...Buffer.from(token)] }
}

function wordOf({ word, start, end, language, confidence }: SpokenWord) {
  return { word, start, end, language, confidence }
}

import { z } from 'zod'

import { profiles } from '../../actors/run/state.ts'
import type { FileResult, SpokenWord } from '../../actors/transcript/state.ts'
import { saidText } from '../batches/said-text.ts'
import { interpolated } from '../batches/word-schema.ts'
import type { NamedExamples } from '../route.ts'

const formats = ['json', 'srt', 'vtt'] as const

export const alignForm = z
  .looseObject({
    file: z.string().meta({ format: 'binary', description: 'One recording.' }),
    text: saidText.describe('What is said in it, in any script; each line is a cue of its own.'),
    response_format: z.enum(formats).default('json').describe('Word by word, or subtitles with the lines as they are.'),
    profile: z.enum(profiles).optional().describe('`fast` listens with a smaller model; without it the server’s own.'),
  })
  .meta({ id: 'AlignmentForm' })

const usual = { file: 'one.wav', text: 'कल की meeting दस बजे है।' }
export const alignForms: NamedExamples = {
  words: { summary: 'when each word is said', value: usual },
  subtitles: { summary: 'subtitles', value: { ...usual, response_format: 'srt' } },
}

export type AlignForm = z.output<typeof alignForm>

const seconds = z.number().describe('Seconds from the start of the recording.')
export const alignment = z
  .strictObject({
    duration: z.number(),
    model: z.string(),
    words_found: z.int(),
    words: z.array(
      z.strictObject({
        word: z.string(),
        start: seconds,
        end: seconds,
        confidence: z.number().describe('How clearly its letters were heard, 0 to 1.'),
        interpolated,
      }),
    ),
    lines: z.array(z.strictObject({ text: z.string(), start: seconds, end: seconds })),
    warnings: z.array(z.string()),
  })
  .meta({ id: 'Alignment' })

export function presentAlignment(result: FileResult): z.input<typeof alignment> {
  const words = result.segments.flatMap((segment) => segment.words)
  return {
    duration: result.duration_seconds,
    model: result.model,
    words_found: words.filter((word) => !word.interpolated).length,
    words: words.map(withoutLanguage),
    lines: result.segments.map(({ text, start, end }) => ({ text, start, end })),
    warnings: [...result.warnings],
  }
}

function withoutLanguage(word: SpokenWord): Omit<SpokenWord, 'language'> {
  const { language: _, ...rest } = word
  return rest
}

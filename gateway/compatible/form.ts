import { z } from 'zod'

import { terminal } from '../../actors/failure.ts'
import { defaultScript, languageCodes, scripts } from '../../actors/transcript/state.ts'
import { profiles } from '../../actors/run/state.ts'
import { redactField } from '../batches/redaction-fields.ts'
import type { BatchRequest } from '../batches/schemas.ts'
import type { NamedExamples } from '../route.ts'
import { vocabularyField } from '../batches/vocabulary.ts'

/** The form of OpenAI's transcription endpoint, as far as it means something here. */

const formats = ['json', 'text', 'srt', 'verbose_json', 'vtt', 'diarized_json'] as const
const granularities = ['word', 'segment'] as const
const included = ['logprobs'] as const
const hotwordsMax = 100
const hotwordMaxCharacters = 64

export const transcriptionForm = z
  .looseObject({
    file: z.string().meta({ format: 'binary', description: 'One recording.' }),
    model: z
      .string()
      .max(200)
      .describe('`fast`, `balanced` or `accurate`; any other name means what the server is set to.'),
    language: z.enum(languageCodes).optional().describe('What is spoken; without it, it is found out.'),
    prompt: z.string().optional().describe('Names and terms to listen for, separated by commas.'),
    response_format: z
      .enum(formats)
      .default('json')
      .describe(
        '`diarized_json` says who spoke, with every passage; with `stream` every form but that of events is left out.',
      ),
    timestamp_granularities: z
      .array(z.enum(granularities))
      .default(['segment'])
      .describe('What `verbose_json` has times for.'),
    stream: z
      .enum(['true', 'false'])
      .default('false')
      .describe('Text as server-sent events, passage by passage; the last one has all of it.'),
    include: z
      .array(z.enum(included))
      .default([])
      .describe('`logprobs` adds how sure each word is, to `json` and to the last event of a stream.'),
    script: z.enum(scripts).default(defaultScript).describe('How words are written. Only here, not at OpenAI.'),
    redact: redactField,
    vocabulary: vocabularyField,
  })
  .meta({ id: 'TranscriptionForm' })

const usual = { file: 'one.wav', model: 'whisper-1' }
export const transcriptionForms = {
  text: { summary: 'the text', value: usual },
  words: {
    summary: 'words with their times',
    value: { ...usual, response_format: 'verbose_json', timestamp_granularities: ['word', 'segment'] },
  },
  speakers: { summary: 'who spoke', value: { ...usual, response_format: 'diarized_json' } },
  certainty: { summary: 'how sure each word is', value: { ...usual, include: ['logprobs'] } },
  subtitles: { summary: 'subtitles', value: { ...usual, response_format: 'srt' } },
  stream: { summary: 'a stream of events', value: { ...usual, stream: 'true' } },
  terms: { summary: 'terms to listen for', value: { ...usual, language: 'hi', prompt: 'Meera, UPI, Pune' } },
} as const satisfies NamedExamples

export type TranscriptionForm = z.output<typeof transcriptionForm>

const lists: ReadonlySet<string> = new Set([
  'timestamp_granularities',
  'include',
  'redact',
] satisfies (keyof TranscriptionForm)[])

/** Clients write lists as `name[]`, one part for each. What is named once is a list only where one is expected. */
export class FormFields {
  readonly #fields = new Map<string, string[]>()

  add(name: string, value: string): void {
    this.#fields.set(name, [...(this.#fields.get(name) ?? []), value])
  }

  toObject(): Record<string, string | string[] | undefined> {
    const all = [...this.#fields].map(([name, values]) => {
      const isList = name.endsWith('[]') || lists.has(name)
      return [name.replace(/\[\]$/, ''), isList ? values : values.at(-1)] as const
    })
    return Object.fromEntries(all)
  }
}

type Asked = Pick<TranscriptionForm, 'model' | 'language' | 'prompt' | 'script'> & Partial<TranscriptionForm>

export function batchRequestOf(form: Asked): Omit<BatchRequest, 'file_ids'> {
  const { model, language, prompt, script, redact } = form
  const profile = profiles.find((one) => one === model)
  const hotwords = (prompt ?? '')
    .split(',')
    .map((term) => term.trim())
    .filter((term) => term !== '' && term.length <= hotwordMaxCharacters)
    .slice(0, hotwordsMax)
  return {
    script,
    ...(language !== undefined && { language }),
    ...(profile !== undefined && { profile }),
    ...(hotwords.length > 0 && { hotwords }),
    ...(redact && { redact }),
  }
}

export function refuseUnfitForm(form: TranscriptionForm): void {
  if (form.timestamp_granularities.includes('word') && form.response_format !== 'verbose_json')
    throw terminal('invalid_request', 'body.timestamp_granularities: words have times in verbose_json only')
  if (form.include.length > 0 && form.response_format !== 'json' && form.stream === 'false')
    throw terminal('invalid_request', 'body.include: logprobs are part of response_format=json, and of streams')
}

import { z } from 'zod'

import { numeralChoices, paperFormats, scripts, textFormats, wordStyles } from '../../actors/transcript/state.ts'
import { idText, limitField, pageField, truth, wholeNumberField } from '../wire.ts'
import { audioExpired, canRetry } from './file-schemas.ts'
import { developmentCounts } from './schemas.ts'
import { sourceShown } from './source-schema.ts'
import { receipt } from './receipt-schema.ts'
import { waveform } from './waveform-schema.ts'
import { word } from './word-schema.ts'

/** The wire of results, merged by file and raw by job. */

export const jobStatuses = ['queued', 'processing', 'retrying', 'completed', 'partial', 'failed'] as const
export type JobStatus = (typeof jobStatuses)[number]

/** What a page or a download may be asked to leave the others out for. */
const statusFilters = ['completed', 'failed', 'retrying', 'processing'] as const
export type StatusFilter = (typeof statusFilters)[number]

const detailQuery = {
  original: truth('As it was transcribed, without what was edited since.'),
  chunks: truth(
    'Adds `chunk_results` to each file: of one under way those that are done have their text, so that it is read while the rest is in work.',
  ),
  speech_information: truth('Adds tone, accent, speaker and measures to each segment.'),
  receipt: truth('Adds what each file was transcribed from and with, signed: `vaak verify` checks it.'),
  waveform: truth('Adds how loud the recording is from beginning to end, for a picture.'),
  script: z
    .enum(scripts)
    .optional()
    .describe('How words are written, whatever was said at submission: nothing is transcribed again.'),
  numerals: z
    .enum(numeralChoices)
    .default('false')
    .describe('Numbers, money, times and percentages as figures, in the Indian way; `devanagari` writes १२३.'),
  style: z
    .enum(wordStyles)
    .default('verbatim')
    .describe('`clean` leaves out um, उम्म and the like, and what somebody began twice; nothing is transcribed again.'),
  tags: truth('Whether `[laughing]` and the like stay in the text.', true),
}
const speakers = truth('Names each voice in what is for people to read; the sides of a call are named anyhow.')
const rawQuery = truth('One record a job, files and chunks, instead of one result a file.')
const filterAbout = '`completed` includes files with gaps.'

export const versionMax = 999_999_999

export const fileResultQuery = z.strictObject({
  format: z
    .enum(['json', 'ndjson', ...textFormats, ...paperFormats])
    .default('json')
    .describe('The result with its status, or, of a file that has one, the transcript for people to read.'),
  ...detailQuery,
  version: wholeNumberField(0, versionMax)
    .optional()
    .describe('As it was at this version of its edits; 0 is as it was transcribed. Without it, the newest.'),
  speakers,
})

export const batchResultsQuery = z.strictObject({
  status: z.enum(statusFilters).optional().describe(filterAbout),
  page: pageField,
  limit: limitField('Files or jobs a page.'),
  raw: rawQuery,
  ...detailQuery,
})

export const downloadQuery = z.strictObject({
  status: z.enum(['completed', 'failed', 'processing']).optional().describe(filterAbout),
  format: z
    .enum(['ndjson', 'json', ...textFormats])
    .default('ndjson')
    .describe(
      'One JSON value a line, one document, one text with a heading for each file, or subtitles: of one file as they are, of several as a ZIP.',
    ),
  raw: rawQuery,
  ...detailQuery,
  speakers,
})

const instant = z.string().meta({ format: 'date-time' })
const seconds = z.number().describe('Seconds from the start of the recording.')

const stepError = z
  .strictObject({
    chunk_index: z.int().optional().describe('Absent when it is about the whole file.'),
    code: z.string(),
    message: z.string(),
    attempts: z.int(),
    at: instant.describe('Of chunks that failed alike, when the last of them did.'),
  })
  .meta({ id: 'StepError' })

const tag = z
  .strictObject({ type: z.string(), start: seconds, end: seconds, confidence: z.number() })
  .meta({ id: 'Tag' })

const segment = z
  .looseObject({
    start: seconds,
    end: seconds,
    text: z.string().describe('With tags such as `[laughing]` where they were heard.'),
    language: z.string(),
    confidence: z.number(),
    words: z.array(word),
    tags: z.array(tag),
    model: z.string(),
    channel: z.int().optional().describe('From 0; only where channels are kept apart.'),
    speech_information: z
      .looseObject({
        tone: z.string().optional(),
        accent: z.string().optional(),
        speaker_id: z
          .string()
          .describe('`speaker_1` and so on; where channels are kept apart `channel_0` and so on, one for each.'),
        speaker_name: z.string().optional(),
      })
      .optional()
      .describe(
        'Only when it was asked for. Every guess has a confidence beside it; tone and accent are left out where they would say nothing.',
      ),
  })
  .meta({ id: 'Segment' })

/** Also of results in other shapes. */
export const gapList = z
  .array(
    z
      .looseObject({
        start: seconds,
        end: seconds,
        reason: z.string().describe('`not understood`, `noise`, `other language`, or what went wrong with the chunk.'),
        chunk_index: z.int().optional().describe('Only where a chunk failed: trying again may help.'),
      })
      .meta({ id: 'Gap' }),
  )
  .optional()
  .describe('Speech that is not in the words, in order of time; absent when there is none.')

export const transcript = z
  .looseObject({
    text: z.string(),
    language: z.string().describe('Of most of the speech; `und` when there is none.'),
    languages: z.array(z.strictObject({ code: z.string(), share: z.number() })),
    duration_seconds: z.number().describe('Of the recording; of a part, where that ends in it.'),
    segments: z.array(segment),
    model: z.string().describe('Every recogniser that wrote a part of it.'),
    script: z.string(),
    warnings: z.array(z.string()),
    gaps: gapList,
  })
  .meta({ id: 'Transcript' })

const chunkResult = z
  .strictObject({
    chunk_id: z.string(),
    chunk_index: z.int(),
    start: seconds.optional(),
    end: seconds.optional(),
    status: z.enum(jobStatuses),
    attempts: z.int(),
    text: z.string().optional(),
    confidence: z.number().optional(),
    language: z.string().optional(),
    error: stepError.optional(),
  })
  .meta({ id: 'ChunkResult' })

const note = z.strictObject({ id: z.string(), at: seconds, text: z.string() }).meta({ id: 'TranscriptNote' })

export const editStanding = z
  .strictObject({
    version: z.int().describe('Grows with every edit; say it with the next one.'),
    edited_at: instant,
    undo_version: z
      .int()
      .optional()
      .describe('What `undo` goes back to; absent when nothing is left to undo. 0 is as it was transcribed.'),
    redo_version: z
      .int()
      .optional()
      .describe('What `redo` goes forward to; absent unless the last thing that was done is `undo`, or `redo`.'),
    oldest_version: z.int().describe('The oldest one, besides 0, that can still be read.'),
    notes: z.array(note).describe('In order of time.'),
  })
  .meta({ id: 'TranscriptEdits' })

export const fileResult = z
  .strictObject({
    file_id: idText,
    filename: z.string(),
    ...sourceShown,
    status: z.enum(jobStatuses).describe('`partial`: some chunks failed, and the result has gaps.'),
    result: transcript.optional(),
    waveform,
    receipt,
    transcribed_again: z
      .strictObject({ chunks: z.int(), changed: z.int() })
      .optional()
      .describe(
        'Only where parts were transcribed again for some words: how many, and in how many of them one of the words came. The others keep what they said.',
      ),
    taken_over_from: z
      .strictObject({ file_id: idText, batch_id: idText })
      .optional()
      .describe(
        'Only where the same bytes had been transcribed in the same way: from where that was taken over, as it was transcribed, without edits.',
      ),
    unredacted_kept: z
      .boolean()
      .optional()
      .describe(
        '`true` where `keep_unredacted` was asked for: you alone can read what was taken out, at `/unredacted`.',
      ),
    edits: editStanding.optional().describe('Only of a transcript that was edited, read with its edits.'),
    errors: z.array(stepError).optional(),
    can_retry: canRetry,
    audio_expired: audioExpired,
    chunk_results: z.array(chunkResult).optional(),
    ...developmentCounts(['total_chunks', 'completed_chunks', 'failed_chunks']),
  })
  .meta({ id: 'FileResult' })

export const rawJob = z
  .strictObject({
    job_id: z.string(),
    parent_id: z.string().nullable().describe('Of a chunk: its file’s `job_id`.'),
    kind: z.enum(['file', 'chunk']),
    batch_id: idText,
    file_id: idText,
    filename: z.string(),
    chunk_index: z.int().optional(),
    status: z.enum(jobStatuses),
    attempts: z.int(),
    timings: z.strictObject({
      queued_at: instant.optional(),
      started_at: instant.optional(),
      finished_at: instant.optional(),
      took_ms: z.number().optional(),
    }),
    error: stepError.optional(),
  })
  .meta({ id: 'RawJob' })

import { z } from 'zod'

import { channelModes, speakersMax, profiles } from '../../actors/run/state.ts'
import { languageCodes, scripts } from '../../actors/transcript/state.ts'
import { batchIdField, fileIdField, idText } from '../wire.ts'
import { afterFields, afterOptions } from './after-fields.ts'
import { callbackFields } from './callback-fields.ts'
import { metadata, metadataAbout, metadataShown } from './metadata.ts'
import { batchExamples } from './request-examples.ts'
import { source } from './source-schema.ts'
import { redactionFields, redactionOptions } from './redaction-fields.ts'
import { saidTextField } from './said-text.ts'
import { retain } from './retain.ts'
import { usedVocabulary, vocabularyField } from './vocabulary.ts'

/** The wire of submitting and watching batches, field for field as the specification has it. */

export const hotwordsMax = 100
const hotwordMaxCharacters = 64
const nameMaxCharacters = 200

export const batchPath = z.strictObject({ batch_id: batchIdField })
export const filePath = z.strictObject({ file_id: fileIdField })

/** As many as the setting for a batch may allow; that one is checked where they are looked up. */
const namedMax = 10_000

export const hotword = z
  .string()
  .trim()
  .min(1, 'a hotword must not be empty')
  .max(hotwordMaxCharacters, `a hotword has at most ${hotwordMaxCharacters} characters`)

/** What ends a line or turns the writing around would change what stands beside it. */
const notOneLine = /[\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029]/u

export const batchName = z
  .string()
  .max(nameMaxCharacters, `has more than ${nameMaxCharacters} characters, which is the limit`)
  .refine((name) => !notOneLine.test(name), 'a name is one line of text')
  .trim()

export const batchRequest = z
  .strictObject({
    batch_upload_id: idText.optional().describe('All completed files of this upload.'),
    file_ids: z.array(idText).max(namedMax).optional().describe('Files of any uploads.'),
    sources: z.array(source).max(namedMax).optional().describe('Storage keys and remote URLs.'),
    name: batchName.optional().describe('What it is called where it is listed; it may be changed later.'),
    metadata: metadata
      .optional()
      .describe(
        `${metadataAbout}. It comes back with the status and the results, and with the call to \`callback_url\`.`,
      ),
    language: z
      .enum(languageCodes)
      .optional()
      .describe('What is spoken; without it, it is found out passage by passage.'),
    profile: z.enum(profiles).optional().describe('Speed against accuracy; without it as the server is set up.'),
    script: z
      .enum(scripts)
      .optional()
      .describe(
        'How words are written; `mixed`, Hindi in Devanagari and English in Latin letters, unless something else is said.',
      ),
    hotwords: z
      .array(hotword)
      .max(hotwordsMax, `at most ${hotwordsMax} hotwords are listened for`)
      .optional()
      .describe('Names and terms to listen for.'),
    vocabulary: vocabularyField,
    channels: z
      .enum(channelModes)
      .optional()
      .describe(
        '`separate` keeps the sides of a recorded call apart, each as one speaker; `auto` does so where two channels are the sides of a call; `mix` unless something else is said.',
      ),
    speakers: z
      .int()
      .min(1)
      .max(speakersMax)
      .optional()
      .describe('How many people speak, where it is known and channels are mixed; without it, it is found out.'),
    text: saidTextField,
    deduplicate: z
      .boolean()
      .optional()
      .describe('`false` transcribes also what was transcribed in the same way as another file with the same bytes.'),
    ...redactionFields,
    ...afterFields,
    retain: retain
      .optional()
      .describe(
        'For how many days after its end something is kept, where that is shorter than what the server is set to.',
      ),
    ...callbackFields(
      'when the batch has ended, and when something that was asked about its transcripts is written or has failed',
    ),
  })
  .meta({ id: 'BatchRequest', examples: Object.values(batchExamples).map(({ value }) => value) })

export type BatchRequest = z.output<typeof batchRequest>

const job = z
  .strictObject({
    file_id: idText,
    filename: z.string(),
    batch_id: idText,
    status: z.literal('queued'),
  })
  .meta({ id: 'SubmittedJob' })

const options = z
  .strictObject({
    language: z.string().optional(),
    profile: z.string().optional(),
    script: z.string(),
    hotwords: z.array(z.string()).optional(),
    vocabulary: usedVocabulary.optional(),
    channels: z.string(),
    speakers: z.int().optional(),
    ...redactionOptions,
    ...afterOptions,
  })
  .meta({ id: 'BatchOptions' })

const estimates = {
  estimated_audio_seconds: z
    .number()
    .describe('Sound in all files: as their headers tell, and as it was once they are transcribed.'),
  estimated_completion_seconds: z
    .number()
    .describe(
      'From now until the last file is done: from the sound that is left, the measured speed of the workers, the queue ahead, and what is waited for. 0 when it has ended.',
    ),
}

export const batchNameShown = z.string().optional().describe('What it is called, if it has a name.')

export const batchMetadataShown = metadataShown.optional().describe('As it was submitted.')

export const batchAccepted = z
  .strictObject({
    batch_id: idText,
    name: batchNameShown,
    total_jobs: z.int().describe('Files: one job each. Their chunks become jobs of their own later.'),
    ...estimates,
    options: options.describe('What was asked for, and what holds where nothing was.'),
    retry_of: idText.optional().describe('The batch whose failures this one tries again.'),
    jobs: z.array(job),
  })
  .meta({ id: 'BatchAccepted' })

const waiting = z
  .strictObject({
    what: z.string().describe('For people: `fetching model moonshine-base-en`.'),
    percent: z.int().optional().describe('How much of it is there; absent when that cannot be told.'),
  })
  .meta({ id: 'Waiting' })

export const batchStatuses = ['queued', 'processing', 'completed', 'partial', 'failed'] as const

const standing = {
  batch_id: idText,
  name: batchNameShown,
  metadata: batchMetadataShown,
  status: z
    .enum(batchStatuses)
    .describe('`partial` when all files are done and some failed or have gaps; `failed` when all failed.'),
  total_files: z.int(),
  files_completed: z.int().describe('Files that have a result, also those with gaps.'),
  files_partial: z.int().describe('Those of them that have gaps.'),
  files_failed: z.int(),
  retry_of: idText.optional().describe('The batch whose failures this one tries again.'),
  retried_as: idText.optional().describe('The batch that tries its failures again.'),
}

export const batchStatus = z
  .strictObject({
    ...standing,
    ...estimates,
    completed_audio_seconds: z
      .number()
      .describe(
        'How much of `estimated_audio_seconds` is behind it, also what failed: the share of the work, however long its files are.',
      ),
    waiting_for: waiting
      .optional()
      .describe('What has to be there before the workers go on; absent while they can work.'),
    ...developmentCounts([
      'total_jobs',
      'completed_jobs',
      'failed_jobs',
      'processing_jobs',
      'queued_jobs',
      'files_processing',
    ]),
  })
  .meta({ id: 'BatchStatus' })

const listedBatch = z
  .strictObject({
    ...standing,
    created_at: z.string().describe('When it was submitted.'),
    finished_at: z.string().optional().describe('When it ended; absent while it is open.'),
  })
  .meta({ id: 'ListedBatch' })

export type ListedBatchBody = z.input<typeof listedBatch>

export const batchList = z
  .strictObject({
    limit: z.int(),
    count: z.int().describe('Batches on this page.'),
    batches: z.array(listedBatch),
    next_cursor: z.string().optional().describe('For the next page; absent on the last.'),
  })
  .meta({ id: 'BatchList' })

export const notFoundBody = z
  .strictObject({ error: z.string(), detail: z.string() })
  .describe('Both say the same.')
  .meta({ id: 'NotFound' })

/** Only there with APP_ENV=development. */
export function developmentCounts<const Name extends string>(
  names: readonly Name[],
): Record<Name, z.ZodOptional<z.ZodInt>> {
  // as: one entry for each name
  return Object.fromEntries(
    names.map((name) => [name, z.int().optional().describe('Only in development mode.')]),
  ) as Record<Name, z.ZodOptional<z.ZodInt>>
}

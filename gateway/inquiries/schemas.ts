import { z } from 'zod'

import { isInquiryId } from '../../actors/ids.ts'
import { callbackFields } from '../batches/callback-fields.ts'
import type { NamedExamples } from '../route.ts'
import { fileIdField } from '../wire.ts'
import { inquiryFields, inquiryType, isQuestionWithType, questionWithType } from './inquiry-fields.ts'

/** The wire of what a chat model writes about transcripts. */

const seconds = z.number().min(0).describe('From the start of the recording.')
const instant = z.string().meta({ format: 'date-time' })
const passage = { start: seconds, end: seconds }

const anExample = {
  inquiry_id: 'summary',
  type: 'summary',
  status: 'completed',
  asked_at: '2026-11-17T09:30:00.000Z',
  finished_at: '2026-11-17T09:30:04.000Z',
  model: 'a-chat-model',
  version: 0,
  summary: 'Asha asks when her parcel will come; it is promised for Friday.',
} as const

export const inquiryRequests: NamedExamples = {
  summary: { summary: 'a summary', value: { type: 'summary' } },
  question: { summary: 'an answer', value: { type: 'question', question: 'When will the parcel come?' } },
  chapters: {
    summary: 'chapters, and to be told of them',
    value: { type: 'chapters', callback_url: 'https://example.org/written' },
  },
  translation: { summary: 'a translation into English', value: { type: 'translation' } },
}

export const inquiryRequest = z
  .strictObject({
    ...inquiryFields,
    again: z
      .boolean()
      .optional()
      .describe('Also where there is one: what it was written from may have been edited since.'),
    ...callbackFields(
      'when it is written or has failed, in place of the `callback_url` of the batch; not where it is there already',
    ),
  })
  .refine(isQuestionWithType, questionWithType)
  .meta({
    id: 'InquiryRequest',
    examples: Object.values(inquiryRequests).map(({ value }) => value),
  })

export const inquiry = z
  .strictObject({
    inquiry_id: z.string().describe('`summary`, `chapters`, `translation`, or that of the question.'),
    type: inquiryType,
    question: z.string().optional(),
    status: z.enum(['waiting', 'completed', 'failed']),
    asked_at: instant,
    finished_at: instant.optional(),
    model: z.string().optional().describe('Who wrote it.'),
    version: z.int().optional().describe('Of your edits, when it was written; 0 is what was transcribed.'),
    summary: z.string().optional(),
    chapters: z
      .array(z.strictObject({ ...passage, title: z.string() }))
      .optional()
      .describe('In order of time, each up to the next.'),
    translation: z
      .array(z.strictObject({ ...passage, text: z.string() }))
      .optional()
      .describe('In English, one for each segment that has words.'),
    answered: z.boolean().optional().describe('Whether the transcript says anything about the question.'),
    answer: z.string().optional(),
    sources: z.array(z.strictObject(passage)).optional().describe('Where the transcript says so.'),
    error: z.string().optional().describe('Why it failed. Ask again, if that may help.'),
  })
  .meta({
    id: 'Inquiry',
    description: 'Texts are plain text, written by a chat model: show them as text, never as HTML or Markdown.',
    examples: [anExample],
  })

const available = z.boolean().describe('Whether a chat endpoint is configured here, so that more can be asked.')

export const inquiryOffer = z.strictObject({ available }).meta({ id: 'InquiryOffer', examples: [{ available: true }] })

export const inquiryList = z
  .strictObject({
    available,
    inquiries: z.array(inquiry).describe('Of the newest transcription of the file, the oldest first.'),
  })
  .meta({ id: 'InquiryList', examples: [{ available: true, inquiries: [anExample] }] })

export const inquiryPath = z.strictObject({
  file_id: fileIdField,
  inquiry_id: z.string().refine(isInquiryId, 'is not the id of an inquiry').describe('As the list has it.'),
})

export const deletedInquiry = z
  .strictObject({ inquiry_id: z.string() })
  .meta({ id: 'DeletedInquiry', examples: [{ inquiry_id: anExample.inquiry_id }] })

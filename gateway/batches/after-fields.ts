import { z } from 'zod'

import { terminal } from '../../actors/failure.ts'
import { inquiryLimits } from '../../actors/inquiry/state.ts'
import type { InquiryKind } from '../../actors/inquiry/state.ts'
import type { TranscribeSettings } from '../../actors/run/state.ts'
import { inquiryFields, isQuestionWithType, questionWithType } from '../inquiries/inquiry-fields.ts'
import { noChatEndpoint } from '../inquiries/no-chat-endpoint.ts'

/** The wire of what is to be written about transcripts as soon as they are there. */

const { submittedQuestions, perBatch } = inquiryLimits
/** Each of the others is asked once. */
const wantedMax = submittedQuestions + 3

const wanted = z
  .strictObject(inquiryFields)
  .refine(isQuestionWithType, questionWithType)
  .meta({
    id: 'WantedInquiry',
    examples: [{ type: 'summary' }, { type: 'question', question: 'What was promised?' }],
  })

export const afterFields = {
  after: z
    .array(wanted)
    .min(1, 'say what is wanted, or leave it out')
    .max(wantedMax, `has more than ${wantedMax}, which is the limit`)
    .optional()
    .describe(
      `What a chat model writes about each transcript as soon as it is there, as if you had asked for it: see \`/transcribe/results/file/{file_id}/inquiries\`, where it is found. At most ${submittedQuestions} questions, and ${perBatch} inquiries for all files together. Refused where no chat endpoint is configured.`,
    ),
  task: z
    .enum(['transcribe', 'translate'])
    .optional()
    .describe(
      '`translate` is short for `"after": [{"type": "translation"}]`: the transcript stays in the language that was spoken, and its translation into English, which names its `model`, is beside it.',
    ),
}

/** As it is told what was asked for. */
export const afterOptions = {
  after: z
    .array(z.strictObject({ type: z.string() }))
    .optional()
    .describe('What is written about each transcript; the questions are with their answers.'),
}

type AfterRequest = z.output<z.ZodObject<typeof afterFields>>

interface WantedAfter {
  readonly settings: Pick<TranscribeSettings, 'after'>
  readonly questions?: readonly string[]
}

/** Whatever is named twice is wanted once. */
export function afterOf({ after = [], task }: AfterRequest, hasChatEndpoint: boolean): WantedAfter {
  const kinds = new Set(after.map(({ type }) => type))
  if (task === 'translate') kinds.add('translation')
  if (kinds.size === 0) return { settings: {} }
  if (!hasChatEndpoint) throw noChatEndpoint()
  const questions = [...new Set(after.flatMap(({ question }) => question ?? []))]
  if (questions.length > submittedQuestions)
    throw terminal(
      'invalid_request',
      `body.after: ${questions.length} questions are asked of each file, and the limit is ${submittedQuestions}.`,
    )
  kinds.delete('question')
  const all: InquiryKind[] = [...kinds, ...questions.map(() => 'question' as const)]
  return { settings: { after: all }, ...(questions.length > 0 && { questions }) }
}

export function refuseTooMuchAfter({ settings: { after = [] } }: WantedAfter, files: number): void {
  if (after.length * files <= perBatch) return
  throw terminal(
    'invalid_request',
    `body.after: ${after.length} for each of ${files} files are ${after.length * files} inquiries, and the limit for a batch is ${perBatch}. Submit it in parts.`,
  )
}

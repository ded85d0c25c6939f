import { z } from 'zod'

import { inquiryKinds, inquiryLimits } from '../../actors/inquiry/state.ts'

/** How something that a chat model is to write is named, wherever it is asked for. */

const { questionCharacters, questionsPerFile } = inquiryLimits

export const inquiryType = z.enum(inquiryKinds)

export const inquiryFields = {
  type: inquiryType.describe(
    `\`summary\`: what was said, in a few sentences; \`chapters\`: where the subject changes; \`translation\`: all of it in English, sentence by sentence; \`question\`: what you ask in \`question\`, up to ${questionsPerFile} a file.`,
  ),
  question: z
    .string()
    .trim()
    .min(1, 'a question says something')
    .max(questionCharacters, `has more than ${questionCharacters} characters, which is the limit`)
    .optional()
    .describe('With `"type": "question"`, and only then.'),
}

type InquiryFields = z.output<z.ZodObject<typeof inquiryFields>>

export function isQuestionWithType({ type, question }: InquiryFields): boolean {
  return (type === 'question') === (question !== undefined)
}

export const questionWithType = {
  message: 'goes with "type": "question", and only with it',
  path: ['question'],
}

import { z } from 'zod'

const seconds = z.number().describe('Seconds from the start of the recording.')

/** Of a text that was laid over a recording. */
export const interpolated = z
  .literal(true)
  .optional()
  .describe(
    'It was not found in the recording: its times are what its neighbours leave. Only where a text was aligned.',
  )

export const word = z
  .strictObject({
    word: z.string(),
    punctuated_word: z.string().optional().describe('With its capitals and the marks after it, as in the text.'),
    start: seconds,
    end: seconds,
    language: z.string(),
    confidence: z.number(),
    heard: z
      .string()
      .optional()
      .describe('What was recognised, where your vocabulary spells it otherwise; not in what is redacted.'),
    interpolated,
  })
  .meta({ id: 'Word' })

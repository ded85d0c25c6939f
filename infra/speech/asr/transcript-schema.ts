import { z } from 'zod'

import type { Transcript } from './recogniser.ts'

/** Decodes what a worker thread sends back. */
export const transcriptSchema: z.ZodType<Transcript> = z.object({
  text: z.string(),
  language: z.string(),
  confidence: z.number(),
  logProb: z.number(),
  noSpeech: z.number(),
  words: z.array(z.object({ text: z.string(), start: z.number(), end: z.number(), confidence: z.number() })),
  flags: z.array(z.string()),
})

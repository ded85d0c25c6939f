import { z } from 'zod'

import type { Transcript, Word } from './recogniser.ts'

const wordSchema: z.ZodType<Word> = z.object({
  text: z.string(),
  start: z.number(),
  end: z.number(),
  confidence: z.number(),
  language: z.string().exactOptional(),
  model: z.string().exactOptional(),
  written: z.string().exactOptional(),
  heard: z.string().exactOptional(),
})

/** Decodes what a worker thread sends back. */
export const transcriptSchema: z.ZodType<Transcript> = z.object({
  text: z.string(),
  language: z.string(),
  confidence: z.number(),
  logProb: z.number(),
  noSpeech: z.number(),
  words: z.array(wordSchema),
  flags: z.array(z.string()),
})

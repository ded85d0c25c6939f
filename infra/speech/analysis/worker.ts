import { z } from 'zod'

import { serveThread } from '../threads/serve.ts'
import { measureChunk } from './measure.ts'
import type { Seconds } from './prosody.ts'
import type { AnalysedWord } from './tag.ts'

const seconds = z.object({ start: z.number(), end: z.number() })
const requestSchema = z.object({
  samples: z.instanceof(Float32Array),
  startSeconds: z.number(),
  segments: z.array(seconds),
  words: z.array(seconds.extend({ text: z.string(), confidence: z.number() })),
})

export interface MeasureRequest {
  readonly samples: Float32Array
  readonly startSeconds: number
  readonly segments: readonly Seconds[]
  readonly words: readonly AnalysedWord[]
}

await serveThread(() =>
  Promise.resolve((request) => {
    const { samples, startSeconds, segments, words } = requestSchema.parse(request)
    return Promise.resolve(measureChunk({ samples, startSeconds }, segments, words))
  }),
)

import { workerData } from 'node:worker_threads'

import { z } from 'zod'

import { serve } from '../threads/serve.ts'
import { openMoonshine } from './moonshine/moonshine.ts'
import { openLanguageDetector } from './whisper/identify.ts'
import { openWhisper } from './whisper/whisper.ts'

const whisperFiles = z.object({
  config: z.string(),
  generation: z.string(),
  tokenizer: z.string(),
  encoder: z.string(),
  decoder: z.string(),
})

const hostedSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('whisper'),
    id: z.string(),
    files: whisperFiles,
    threads: z.int().min(1),
    languages: z.array(z.string()),
  }),
  z.object({
    kind: z.literal('moonshine'),
    id: z.string(),
    files: z.object({ encoder: z.string(), decoder: z.string(), vocabulary: z.string() }),
    threads: z.int().min(1),
  }),
  z.object({ kind: z.literal('detector'), files: whisperFiles, threads: z.int().min(1) }),
])

/** Which model a thread opens; plain data, because it crosses into the thread. */
export type Hosted = z.infer<typeof hostedSchema>

const requestSchema = z.object({
  samples: z.instanceof(Float32Array),
  language: z.string().optional(),
  hotwords: z.array(z.string()).readonly(),
})

export interface HostedRequest {
  readonly samples: Float32Array
  readonly language?: string
  readonly hotwords: readonly string[]
}

await serve(async () => {
  const hosted = hostedSchema.parse(workerData)
  if (hosted.kind === 'detector') {
    const detector = await openLanguageDetector(hosted)
    return (request) => detector.identify(requestSchema.parse(request).samples)
  }
  const recogniser = hosted.kind === 'whisper' ? await openWhisper(hosted) : await openMoonshine(hosted)
  return async (request) => {
    const { samples, language, hotwords } = requestSchema.parse(request)
    const [transcript] = await recogniser.transcribe([samples], {
      hotwords,
      ...(language !== undefined && { language }),
    })
    return transcript
  }
})

import { workerData } from 'node:worker_threads'

import { z } from 'zod'

import { serveThread } from '../../threads/serve.ts'
import { openCtcEngine } from './engine.ts'

const optionsSchema = z.object({
  modelPath: z.string(),
  vocabularyPath: z.string(),
  lmPath: z.string().optional(),
  threads: z.int().min(1),
})

const requestSchema = z.object({
  samples: z.instanceof(Float32Array),
  hotwords: z.array(z.string()),
})

export interface CtcRequest {
  readonly samples: Float32Array
  readonly hotwords: readonly string[]
}

await serveThread(async () => {
  const { lmPath, ...options } = optionsSchema.parse(workerData)
  const engine = await openCtcEngine({ ...options, ...(lmPath !== undefined && { lmPath }) })
  return (request) => {
    const { samples, hotwords } = requestSchema.parse(request)
    return engine.recognise(samples, hotwords)
  }
})

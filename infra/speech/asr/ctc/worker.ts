import { workerData } from 'node:worker_threads'

import { z } from 'zod'

import { serveThread } from '../../threads/serve.ts'
import { openCtcEngine } from './engine.ts'
import type { ListenedFor } from './hotwords.ts'
import type { SharedLm } from './shared-lm.ts'

const optionsSchema = z.object({
  modelPath: z.string(),
  vocabularyPath: z.string(),
  lmPath: z.string().optional(),
  threads: z.int().min(1),
  // made by the thread that started this one
  lm: z.custom<SharedLm>((value) => typeof value === 'object').optional(),
})

const samples = z.instanceof(Float32Array)
const requestSchema = z.union([
  // our own thread sent it: thousands of words are not looked at for every clip
  z.object({ samples, listensFor: z.custom<ListenedFor>((value) => typeof value === 'object') }),
  z.object({ samples, phrases: z.array(z.string()) }),
  z.object({ samples, wants: z.literal('emissions') }),
])

/** For a transcript, for how likely each of some phrases is, or for what is heard before anybody makes words of it. */
export type CtcRequest = { readonly samples: Float32Array } & (
  | { readonly listensFor: ListenedFor }
  | { readonly phrases: readonly string[] }
  | { readonly wants: 'emissions' }
)

await serveThread(async () => {
  const { lmPath, lm, ...options } = optionsSchema.parse(workerData)
  const engine = await openCtcEngine({ ...options, ...(lmPath !== undefined && { lmPath }), ...(lm && { lm }) })
  return async (request): Promise<unknown> => {
    const asked = requestSchema.parse(request)
    if ('phrases' in asked) return engine.scorePhrases(asked.samples, asked.phrases)
    if ('wants' in asked) return engine.emit(asked.samples)
    return engine.recognise(asked.samples, asked.listensFor)
  }
})

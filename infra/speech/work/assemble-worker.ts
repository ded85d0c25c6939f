import { z } from 'zod'

import { redactionKinds, scripts } from '../../../actors/transcript/state.ts'
import { serveThread } from '../threads/serve.ts'
import { assembleStored } from './assemble-stored.ts'

const partsSchema = z.object({
  plan: z.instanceof(Uint8Array),
  script: z.enum(scripts),
  speakers: z.int().optional(),
  redact: z.array(z.enum(redactionKinds)).optional(),
  keepUnredacted: z.boolean().optional(),
  saidText: z.string().optional(),
  done: z.array(z.object({ chunk: z.int(), result: z.instanceof(Uint8Array) })),
  failed: z.array(z.object({ chunk: z.int(), reason: z.string(), code: z.string(), attempts: z.int() })),
  order: z.object({ file_id: z.string(), batch_id: z.string(), options: z.record(z.string(), z.unknown()) }),
})

await serveThread(() => Promise.resolve((request) => Promise.resolve(assembleStored(partsSchema.parse(request)))))

import { z } from 'zod'

import { serveThread } from '../threads/serve.ts'
import { qualityOf } from './quality.ts'

const textsSchema = z.object({ said: z.string(), heard: z.string() })

await serveThread(() => Promise.resolve((request) => Promise.resolve(qualityOf(textsSchema.parse(request)))))

import { workerData } from 'node:worker_threads'

import { z } from 'zod'

import { serve } from '../../threads/serve.ts'
import { openLanguageDetector } from './identify.ts'
import type { DetectorOptions } from './identify.ts'

/** The options are our own, cloned from the thread that made them. */
const optionsSchema = z.custom<DetectorOptions>((value) => typeof value === 'object')
const requestSchema = z.instanceof(Float32Array)

await serve(async () => {
  const detector = await openLanguageDetector(optionsSchema.parse(workerData))
  return (request) => detector.identify(requestSchema.parse(request))
})

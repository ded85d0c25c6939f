import { workerData } from 'node:worker_threads'

import { z } from 'zod'

import { serveThread } from '../../threads/serve.ts'
import { openLanguageDetector } from './identify.ts'
import type { LanguageDetectorOptions } from './identify.ts'

/** The options are our own, cloned from the thread that made them. */
const optionsSchema = z.custom<LanguageDetectorOptions>((value) => typeof value === 'object')
const requestSchema = z.instanceof(Float32Array)

await serveThread(async () => {
  const detector = await openLanguageDetector(optionsSchema.parse(workerData))
  return (request) => detector.identify(requestSchema.parse(request))
})

import { workerData } from 'node:worker_threads'

import { z } from 'zod'

import { serveThread } from '../../../infra/speech/threads/serve.ts'
import { openRival } from './rivals.ts'
import type { Rival } from './rivals.ts'

/** Our own words, cloned from the thread that said them. */
const rivalSchema = z.custom<Rival>((value) => typeof value === 'object')

await serveThread(async () => {
  const listener = await openRival(rivalSchema.parse(workerData), 1)
  return (request) => listener.hear(z.instanceof(Float32Array).parse(request))
})

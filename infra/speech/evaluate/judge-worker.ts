import { workerData } from 'node:worker_threads'

import { z } from 'zod'

import { patientNiceness } from '../../process/give-way.ts'
import { serveThread } from '../threads/serve.ts'
import { qualityOf } from './quality.ts'

const { isPatient } = z.object({ isPatient: z.boolean() }).parse(workerData)
/** What is short is waited for, as any answer is; who has it done all the time gives way to everything before long. */
const urgentNiceness = 0
const textsSchema = z.object({ said: z.string(), heard: z.string() })

await serveThread(
  () => Promise.resolve((request) => Promise.resolve(qualityOf(textsSchema.parse(request)))),
  isPatient ? patientNiceness : urgentNiceness,
)

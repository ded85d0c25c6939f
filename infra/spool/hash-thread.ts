import { createHash } from 'node:crypto'
import type { Hash } from 'node:crypto'
import { workerData } from 'node:worker_threads'

import { z } from 'zod'

import { serveThread } from '../speech/threads/serve.ts'

/** Hashes what is put into memory that it shares, of several recordings in turns. */

const dataSchema = z.object({ memory: z.instanceof(SharedArrayBuffer) })
const requestSchema = z.object({
  id: z.number(),
  start: z.number(),
  end: z.number(),
  isFirst: z.boolean(),
  isLast: z.boolean(),
})
export type HashRequest = z.infer<typeof requestSchema>

/** Who uploads waits for it, so it gives way to nobody. */
const niceness = 0

await serveThread(() => {
  const bytes = new Uint8Array(dataSchema.parse(workerData).memory)
  const begun = new Map<number, Hash>()
  return Promise.resolve((request) => {
    const { id, start, end, isFirst, isLast } = requestSchema.parse(request)
    if (isFirst) begun.set(id, createHash('sha256'))
    const hash = begun.get(id)
    if (!hash) return Promise.reject(new Error('a thread that is gone had hashed its beginning'))
    hash.update(bytes.subarray(start, end))
    if (!isLast) return Promise.resolve('')
    begun.delete(id)
    return Promise.resolve(hash.digest('hex'))
  })
}, niceness)

import { createHash } from 'node:crypto'
import { closeSync, openSync, readSync } from 'node:fs'

import { z } from 'zod'

import { serveThread } from '../threads/serve.ts'

/** Hashes whole files, which it reads itself: nobody else waits for this thread. */

const readBytes = 1024 * 1024

export type DigestRequest = z.infer<typeof requestSchema>
const requestSchema = z.object({
  path: z.string(),
  algorithm: z.enum(['sha256', 'sha512']),
  encoding: z.enum(['hex', 'base64']),
})

await serveThread(() => Promise.resolve((request) => Promise.resolve(digest(requestSchema.parse(request)))))

function digest({ path, algorithm, encoding }: DigestRequest): string {
  const hash = createHash(algorithm)
  const piece = Buffer.allocUnsafe(readBytes)
  const file = openSync(path, 'r')
  try {
    for (let bytes = readSync(file, piece); bytes > 0; bytes = readSync(file, piece)) hash.update(piece.subarray(0, bytes))
    return hash.digest(encoding)
  } finally {
    closeSync(file)
  }
}

import type { IncomingMessage } from 'node:http'

import type { z } from 'zod'

import { terminal } from '../actors/failure.ts'

const jsonBodyMaxBytes = 1024 * 1024
const jsonBodyMaxMs = 30_000

/** Parses one part of a request, or says which field is wrong, why, and what is allowed. */
export function check<Schema extends z.ZodType>(
  part: 'path' | 'query' | 'body',
  schema: Schema,
  value: unknown,
): z.output<Schema> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.map((issue) => {
    const where = [part, ...issue.path.map(String)].join('.')
    return `${where}: ${issue.message}`
  })
  throw terminal('invalid_request', problems.join('; '))
}

/** A small JSON body, with limits on its size and on how long it may take to arrive. */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  const type = request.headers['content-type'] ?? ''
  if (!/^application\/json\s*(?:;|$)/i.test(type))
    throw terminal('unsupported_media', 'The body must be JSON: send it with Content-Type: application/json.')
  const text = await readText(request)
  try {
    return JSON.parse(text)
  } catch {
    throw terminal('invalid_request', 'The body is not valid JSON.')
  }
}

async function readText(request: IncomingMessage): Promise<string> {
  const deadline = setTimeout(() => request.destroy(tooSlow()), jsonBodyMaxMs)
  const chunks: Buffer[] = []
  let sizeBytes = 0
  try {
    for await (const chunk of request) {
      // as: no encoding is set on the request, so it yields buffers
      const buffer = chunk as Buffer
      sizeBytes += buffer.length
      if (sizeBytes > jsonBodyMaxBytes)
        throw terminal('too_large', `The body is larger than the limit of ${jsonBodyMaxBytes} bytes.`)
      chunks.push(buffer)
    }
  } finally {
    clearTimeout(deadline)
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))
  } catch {
    throw terminal('invalid_request', 'The body is not valid UTF-8.')
  }
}

function tooSlow(): Error {
  return terminal('too_slow', `The body did not arrive within ${jsonBodyMaxMs / 1000} seconds.`)
}

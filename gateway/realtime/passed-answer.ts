import type { IncomingMessage } from 'node:http'

/** What the realtime server answered by a status, and not in frames. */
export interface PassedAnswer {
  readonly status: number
  readonly contentType: string
  readonly text: string
  /** Of a call. */
  readonly location: string | undefined
}

/** Rejects when it is longer than anything that is ever answered, or broken off. */
export async function readPassedAnswer(answer: IncomingMessage, mostBytes: number): Promise<PassedAnswer> {
  const chunks: Buffer[] = []
  let sizeBytes = 0
  for await (const chunk of answer) {
    const bytes = chunk as Buffer // as: no encoding is set
    sizeBytes += bytes.length
    if (sizeBytes > mostBytes) throw new Error('the answer of the realtime server is too long')
    chunks.push(bytes)
  }
  const { statusCode: status = 502, headers } = answer
  return {
    status,
    contentType: headers['content-type'] ?? 'text/plain',
    text: Buffer.concat(chunks).toString('utf8'),
    location: headers.location,
  }
}

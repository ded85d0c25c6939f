import { finished } from 'node:stream'
import type { Readable } from 'node:stream'

/** Chunks that wait here before the stream has to: about a megabyte, as sockets give them. */
const waitingMax = 16

/** What a stream gives, in order. A stream that breaks forgets what it had received; here it is kept, and told first. */
export interface ByteArrivals {
  /** The next chunk, or undefined at the end; rejects with what broke the stream. */
  next(): Promise<Buffer | undefined>
  /** Of all chunks so far, told or not. */
  readonly sizeBytes: number
}

/** Listens from this moment on. */
export function arrivalsOf(stream: Readable): ByteArrivals {
  const waiting: Buffer[] = []
  let sizeBytes = 0
  let over: { readonly error: unknown } | undefined
  let wake = (): void => undefined
  stream.on('data', (chunk: Buffer) => {
    waiting.push(chunk)
    sizeBytes += chunk.length
    if (waiting.length >= waitingMax) stream.pause()
    wake()
  })
  finished(stream, (error) => {
    over = { error }
    wake()
  })
  return {
    async next() {
      if (waiting.length === 0 && !over) await new Promise<void>((resolve) => (wake = resolve))
      const chunk = waiting.shift()
      if (chunk === undefined && over?.error) throw over.error
      if (waiting.length === 0) stream.resume()
      return chunk
    },
    get sizeBytes() {
      return sizeBytes
    },
  }
}

import type { Blobs } from '../ports.ts'
import { wholeBytes } from '../whole-bytes.ts'
import type { Hashing, StoredBytes } from './ports.ts'

/** Most headers are in the first bytes of a recording or in the last: those are kept, so that nobody has to fetch them again. */
const keptBytes = 64 * 1024

/** What is learnt of bytes while they pass on their way into storage. */
export interface PassingBytes {
  pass(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array>
  readonly sizeBytes: number
  /** Of all of it, when all has passed. */
  readonly sha256: string
  /** As they are stored under this key. */
  storedAs(blobs: Pick<Blobs, 'open'>, key: string): StoredBytes
}

export function watchPassing(hashing: Hashing): PassingBytes {
  let sha256 = ''
  let sizeBytes = 0
  let head = Buffer.alloc(0)
  let tail = Buffer.alloc(0)
  return {
    async *pass(source) {
      const hash = hashing.begin()
      try {
        for await (const chunk of source) {
          await hash.update(chunk)
          sizeBytes += chunk.length
          if (head.length < keptBytes) head = Buffer.concat([head, chunk.subarray(0, keptBytes - head.length)])
          tail = lastOf(tail, chunk)
          yield chunk
        }
        sha256 = await hash.digest()
      } finally {
        if (sha256 === '') hash.drop()
      }
    },
    get sizeBytes() {
      return sizeBytes
    },
    get sha256() {
      return sha256
    },
    storedAs: (blobs, key) =>
      readingFrom({ sizeBytes, head, tail }, (start, end) => fetchRange(blobs, key, { start, end })),
  }
}

function lastOf(tail: Buffer, chunk: Uint8Array): Buffer<ArrayBuffer> {
  const last = chunk.subarray(-keptBytes)
  return Buffer.concat([tail.subarray(tail.length - Math.min(tail.length, keptBytes - last.length)), last])
}

interface Kept {
  readonly sizeBytes: number
  readonly head: Buffer
  readonly tail: Buffer
}

function readingFrom(
  { sizeBytes, head, tail }: Kept,
  fetch: (start: number, end: number) => Promise<Buffer>,
): StoredBytes {
  const tailStart = sizeBytes - tail.length
  let window = { start: 0, bytes: head }
  return {
    sizeBytes,
    async read(offset, length) {
      const end = Math.min(offset + length, sizeBytes)
      if (end <= head.length) return head.subarray(offset, end)
      if (offset >= tailStart) return tail.subarray(offset - tailStart, end - tailStart)
      const isKept = offset >= window.start && end <= window.start + window.bytes.length
      // neighbours are asked for one after another
      if (!isKept)
        window = { start: offset, bytes: await fetch(offset, Math.max(end, Math.min(offset + keptBytes, sizeBytes))) }
      return window.bytes.subarray(offset - window.start, end - window.start)
    },
  }
}

async function fetchRange(
  blobs: Pick<Blobs, 'open'>,
  key: string,
  range: { readonly start: number; readonly end: number },
): Promise<Buffer> {
  return wholeBytes(await blobs.open(key, range))
}

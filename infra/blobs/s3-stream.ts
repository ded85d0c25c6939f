import { openBody } from './s3-body.ts'
import { partBytes, streamedParts } from './s3-limits.ts'
import { putInParts, putWhole } from './s3-upload.ts'
import type { S3Store } from './s3-upload.ts'

interface S3Stream {
  readonly key: string
  readonly source: AsyncIterable<Uint8Array>
}

/** An object whose size nobody knows before its last byte has come; what is small goes in one request all the same. */
export async function uploadStream(store: S3Store, { key, source }: S3Stream): Promise<void> {
  const pieces = inPieces(source, partBytes)
  const { value: first = new Uint8Array() } = await pieces.next()
  if (first.length === partBytes)
    return putInParts(store, { key, pieces: startingWith(first, pieces), senders: streamedParts })
  await putWhole(store, { key, body: await openBody({ bytes: first }) }, {})
}

async function* startingWith(first: Uint8Array, rest: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first
  yield* rest
}

/** Each of this size but the last, which has at least one byte. */
async function* inPieces(source: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Uint8Array, undefined> {
  let piece = Buffer.allocUnsafe(size)
  let filled = 0
  for await (const chunk of source)
    for (let from = 0; from < chunk.length;) {
      const taken = Math.min(chunk.length - from, size - filled)
      piece.set(chunk.subarray(from, from + taken), filled)
      from += taken
      filled += taken
      if (filled < size) continue
      yield piece
      // who sends it still has it
      piece = Buffer.allocUnsafe(size)
      filled = 0
    }
  if (filled > 0) yield piece.subarray(0, filled)
  return undefined
}

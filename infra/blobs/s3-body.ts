import type { Readable } from 'node:stream'

import type { BlobSource } from '../../actors/ports.ts'
import { openSourceFile } from './source-file.ts'
import type { SourceFile } from './source-file.ts'

/** The bytes of a source, in pieces or as a whole, wherever they are. */
export interface ObjectBody {
  readonly sizeBytes: number
  read(start: number, end: number): Promise<Uint8Array>
  /** All of them, and of a file never many in memory at once. */
  whole(): Uint8Array | Readable
  close(): Promise<void>
}

export async function openBody(source: BlobSource): Promise<ObjectBody> {
  return 'bytes' in source ? bodyOfBytes(source.bytes) : bodyOfFile(source)
}

function bodyOfBytes(bytes: Uint8Array): ObjectBody {
  return {
    sizeBytes: bytes.length,
    read: async (start, end) => bytes.subarray(start, end),
    whole: () => bytes,
    close: async () => {},
  }
}

async function bodyOfFile(source: SourceFile): Promise<ObjectBody> {
  const file = await openSourceFile(source)
  let streaming: Readable | undefined
  return {
    sizeBytes: source.sizeBytes,
    read: async (start, end) => {
      const piece = Buffer.allocUnsafe(end - start)
      const { bytesRead } = await file.read(piece, 0, piece.length, start)
      if (bytesRead === piece.length) return piece
      throw new Error(`the file to store ended after ${start + bytesRead} of ${source.sizeBytes} bytes`)
    },
    whole: () => (streaming = file.createReadStream({ start: 0, autoClose: false })),
    close: async () => {
      // A handle does not close before the stream on it does, and a refused request leaves that one half read.
      streaming?.destroy()
      await file.close()
    },
  }
}

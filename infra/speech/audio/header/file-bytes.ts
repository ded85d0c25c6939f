import { open } from 'node:fs/promises'

import type { StoredBytes } from '../../../../actors/upload/ports.ts'
import { boundedBytes } from './bounded-bytes.ts'
import type { BoundedBytes } from './bounded-bytes.ts'

/** Lets `use` look at a file on disk, within the allowance of a probe. */
export async function withFileBytes<Result>(
  path: string,
  use: (bytes: BoundedBytes) => Promise<Result>,
): Promise<Result> {
  return withOpenFile(path, (bytes) => use(boundedBytes(bytes)))
}

export async function withOpenFile<Result>(
  path: string,
  use: (bytes: StoredBytes) => Promise<Result>,
): Promise<Result> {
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    return await use({
      sizeBytes: size,
      async read(offset, length) {
        const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(length), 0, length, offset)
        return buffer.subarray(0, bytesRead)
      },
    })
  } finally {
    await file.close()
  }
}

export function bytesInMemory(bytes: Buffer): StoredBytes {
  return {
    sizeBytes: bytes.length,
    read: (offset, length) => Promise.resolve(bytes.subarray(offset, offset + length)),
  }
}

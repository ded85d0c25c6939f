import { open } from 'node:fs/promises'

import { boundedBytes } from './bounded-bytes.ts'

import type { BoundedBytes } from './bounded-bytes.ts'

/** Lets `use` look at a file on disk, within the allowance of a probe. */
export async function withFileBytes<Result>(
  path: string,
  use: (bytes: BoundedBytes) => Promise<Result>,
): Promise<Result> {
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    const bytes = boundedBytes({
      sizeBytes: size,
      async read(offset, length) {
        const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(length), 0, length, offset)
        return buffer.subarray(0, bytesRead)
      },
    })
    return await use(bytes)
  } finally {
    await file.close()
  }
}

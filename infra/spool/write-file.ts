import { open } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'

import type { Hashing } from '../../actors/upload/ports.ts'

/** Written in pieces of about this size: fewer system calls than one a network packet, little memory. */
const pieceBytes = 1024 * 1024
/** The disk is asked to begin writing this often, so that the last sync of a large file does not take seconds. */
const syncEveryBytes = 64 * 1024 * 1024

export interface WrittenFile {
  readonly sizeBytes: number
  readonly sha256: string
  /** All of it, where it is one piece: who looks at it need not wait for the disk. */
  readonly whole: Buffer | undefined
  /** Resolves when the bytes are safe from a power cut. */
  readonly safe: Promise<void>
}

/**
 * Streams to a new file and hashes on the way; one piece is written while the next one arrives. Its name is there when it resolves, and of one
 * that is a single piece the bytes may still be on their way.
 */
export async function writeFile(
  hashing: Hashing,
  path: string,
  source: AsyncIterable<Uint8Array>,
): Promise<WrittenFile> {
  const opening = open(path, 'wx', 0o600)
  opening.catch(() => undefined) // awaited when there is something to write; until then it must not count as unhandled
  const hash = hashing.begin()
  let sizeBytes = 0
  let unsyncedBytes = 0
  let piece: Uint8Array[] = []
  let pieceSize = 0
  let writing: Promise<unknown> = Promise.resolve()
  let syncing: Promise<unknown> = Promise.resolve()

  const write = async (bytes: readonly Uint8Array[], size: number): Promise<void> => {
    const { bytesWritten } = await (await opening).writev(bytes)
    completeWrite(bytesWritten, size)
  }

  const flush = async (): Promise<void> => {
    await writing
    const [full, fullSize] = [piece, pieceSize]
    piece = []
    pieceSize = 0
    writing = write(full, fullSize)
    writing.catch(() => undefined) // awaited by the next flush; until then it must not count as unhandled
    unsyncedBytes += fullSize
    if (unsyncedBytes < syncEveryBytes) return
    await syncing
    unsyncedBytes = 0
    syncing = (await opening).datasync()
    syncing.catch(() => undefined)
  }

  try {
    for await (const chunk of source) {
      await hash.update(chunk)
      sizeBytes += chunk.length
      piece.push(chunk)
      pieceSize += chunk.length
      if (pieceSize >= pieceBytes) await flush()
    }
    const whole = sizeBytes === pieceSize ? Buffer.concat(piece) : undefined
    if (pieceSize > 0) await flush()
    if (!whole) await Promise.all([writing, syncing])
    const sha256 = await hash.digest()
    const safe = syncAndClose(await opening, writing)
    safe.catch(() => undefined)
    return { sizeBytes, sha256, whole, safe }
  } catch (error) {
    hash.drop()
    await Promise.allSettled([writing, syncing])
    await opening.then((handle) => handle.close()).catch(() => undefined)
    throw error
  }
}

async function syncAndClose(handle: FileHandle, writing: Promise<unknown>): Promise<void> {
  try {
    await writing
    await handle.datasync()
  } finally {
    await handle.close()
  }
}

function completeWrite(written: number, wanted: number): void {
  // a short write without an error is what a disk that is filling up may answer
  if (written !== wanted) throw Object.assign(new Error('short write'), { code: 'ENOSPC' })
}

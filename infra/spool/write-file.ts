import { open } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'

import type { Hashing } from '../../actors/upload/ports.ts'

/** Written in pieces of about this size: fewer system calls than one a network packet, little memory. */
const pieceBytes = 1024 * 1024
/** The disk is asked to begin writing this often, so that the last sync of a large file does not take seconds. */
const syncEveryBytes = 64 * 1024 * 1024

interface WrittenFile {
  readonly sizeBytes: number
  readonly sha256: string
  /** Resolves when the bytes are safe from a power cut. */
  readonly safe: Promise<void>
}

/** Streams to a new file and hashes on the way; one piece is written while the next one arrives. */
export async function writeFile(
  hashing: Hashing,
  path: string,
  source: AsyncIterable<Uint8Array>,
): Promise<WrittenFile> {
  const handle = await open(path, 'wx', 0o600)
  const hash = hashing.begin()
  let sizeBytes = 0
  let unsyncedBytes = 0
  let piece: Uint8Array[] = []
  let pieceSize = 0
  let writing: Promise<unknown> = Promise.resolve()
  let syncing: Promise<unknown> = Promise.resolve()
  let sha256: string

  const flush = async (): Promise<void> => {
    await writing
    const [full, fullSize] = [piece, pieceSize]
    piece = []
    pieceSize = 0
    writing = handle.writev(full).then(({ bytesWritten }) => completeWrite(bytesWritten, fullSize))
    writing.catch(() => undefined) // awaited by the next flush; until then it must not count as unhandled
    unsyncedBytes += fullSize
    if (unsyncedBytes < syncEveryBytes) return
    await syncing
    unsyncedBytes = 0
    syncing = handle.datasync()
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
    if (pieceSize > 0) await flush()
    await writing
    await syncing
    sha256 = await hash.digest()
  } catch (error) {
    hash.drop()
    await Promise.allSettled([writing, syncing])
    await handle.close()
    throw error
  }
  const safe = syncAndClose(handle)
  safe.catch(() => undefined)
  return { sizeBytes, sha256, safe }
}

async function syncAndClose(handle: FileHandle): Promise<void> {
  try {
    await handle.datasync()
  } finally {
    await handle.close()
  }
}

function completeWrite(written: number, wanted: number): void {
  // a short write without an error is what a disk that is filling up may answer
  if (written !== wanted) throw Object.assign(new Error('short write'), { code: 'ENOSPC' })
}

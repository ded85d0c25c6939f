import { randomUUID } from 'node:crypto'
import { closeSync, ftruncateSync, openSync, unlinkSync, write } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** Longer recordings are handed over as they are, to a process that meets no other. */
export const slotMaxBytes = 16 * 1024 * 1024
const pieceBytes = 256 * 1024

/**
 * A file without a name that its owner fills with one recording after another, and that a decoder can only read. A process cannot be given
 * descriptors after its start: so it keeps its process from file to file, and still sees no other file than the one it is asked about.
 */
export interface RecordingSlot {
  /** For the decoder, which reads by positions: nothing moves it. */
  readonly descriptor: number
  /** The decoder has it now. */
  handedOver(): void
  fill(from: string): Promise<void>
  clear(): void
  close(): void
}

export function openRecordingSlot(): RecordingSlot {
  const path = join(tmpdir(), `vaak-recording-${randomUUID()}`)
  const slot = openSync(path, 'wx', 0o600)
  const descriptor = openSync(path, 'r')
  unlinkSync(path)
  const piece = Buffer.allocUnsafeSlow(pieceBytes)
  const clear = (): void => ftruncateSync(slot)
  let filling: Promise<unknown> = Promise.resolve()
  return {
    descriptor,
    handedOver: () => closeSync(descriptor),
    async fill(from) {
      clear()
      const filled = copy(from, slot, piece)
      filling = filled.catch(() => undefined)
      await filled
    },
    clear,
    // not before the last write: its number may be another file's by then
    close: () => void filling.then(() => closeSync(slot)),
  }
}

const writeTo = promisify(write)

/** Always through the same memory: streams take a megabyte for each reading, and clips come faster than that is collected. */
async function copy(from: string, to: number, piece: Buffer): Promise<void> {
  const source = await open(from)
  try {
    for (let at = 0; ;) {
      const { bytesRead } = await source.read(piece, 0, piece.length, at)
      if (bytesRead === 0) return
      for (let done = 0; done < bytesRead;)
        done += (await writeTo(to, piece, done, bytesRead - done, at + done)).bytesWritten
      at += bytesRead
    }
  } finally {
    await source.close()
  }
}

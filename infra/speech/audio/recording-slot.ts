import { randomUUID } from 'node:crypto'
import { closeSync, createReadStream, createWriteStream, ftruncateSync, openSync, unlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'

/** Longer recordings are handed over as they are, to a process that meets no other. */
export const slotMaxBytes = 16 * 1024 * 1024
const copiedBytes = 1024 * 1024

/**
 * A file without a name that its owner fills with one recording after another, and that a decoder can only read. A process cannot be given
 * descriptors after its start: so it keeps its process from file to file, and still sees no other file than the one it is asked about.
 */
export interface RecordingSlot {
  /** For the decoder. Each is good for one reading, since nothing but reading moves it. */
  readonly descriptors: readonly number[]
  /** The decoder has them now. */
  handedOver(): void
  fill(from: string): Promise<void>
  clear(): void
  close(): void
}

export function openRecordingSlot(readings: number): RecordingSlot {
  const path = join(tmpdir(), `vaak-recording-${randomUUID()}`)
  const slot = openSync(path, 'wx', 0o600)
  const descriptors = Array.from({ length: readings }, () => openSync(path, 'r'))
  unlinkSync(path)
  const clear = (): void => ftruncateSync(slot)
  let filling: Promise<unknown> = Promise.resolve()
  return {
    descriptors,
    handedOver: () => descriptors.forEach((descriptor) => closeSync(descriptor)),
    async fill(from) {
      clear()
      const source = createReadStream(from, { highWaterMark: copiedBytes })
      const filled = pipeline(source, createWriteStream('', { fd: slot, start: 0, autoClose: false }))
      filling = filled.catch(() => undefined)
      await filled
    },
    clear,
    // not before the last write: its number may be another file's by then
    close: () => void filling.then(() => closeSync(slot)),
  }
}

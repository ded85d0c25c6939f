import { audioFacts, notAudio } from './verdict.ts'

import type { BoundedBytes } from './bounded-bytes.ts'
import type { HeaderVerdict } from './verdict.ts'

export const amrMagic = '#!AMR\n'
export const amrWideMagic = '#!AMR-WB\n'

const frameSeconds = 0.02
const walkedBytes = 64 * 1024

/** Bytes of a frame by its type, its own header included; 0 where no such type is stored. */
const narrowFrameBytes = [13, 14, 16, 18, 20, 21, 27, 32, 6, 0, 0, 0, 0, 0, 0, 1]
const wideFrameBytes = [18, 24, 33, 37, 41, 47, 51, 59, 61, 6, 0, 0, 0, 0, 1, 1]

export function readAmr(bytes: BoundedBytes): Promise<HeaderVerdict> {
  return readFrames(bytes, { start: amrMagic.length, sizes: narrowFrameBytes, contentType: 'audio/amr' })
}

export function readAmrWide(bytes: BoundedBytes): Promise<HeaderVerdict> {
  return readFrames(bytes, { start: amrWideMagic.length, sizes: wideFrameBytes, contentType: 'audio/amr-wb' })
}

interface Stored {
  readonly start: number
  readonly sizes: readonly number[]
  readonly contentType: string
}

/** Frames of 20 ms, each telling its size; a long file is taken to go on as it begins. */
async function readFrames(bytes: BoundedBytes, stored: Stored): Promise<HeaderVerdict> {
  const block = await bytes.upTo(stored.start, walkedBytes)
  let offset = 0
  let frames = 0
  while (offset < block.length) {
    const size = stored.sizes[(block.readUInt8(offset) >> 3) & 0x0f] ?? 0
    if (size === 0 || offset + size > block.length) break
    offset += size
    frames += 1
  }
  if (frames === 0) return notAudio('starts like AMR but holds no frame of sound: record or upload it again')
  const audioBytes = bytes.sizeBytes - stored.start
  const whole = audioBytes <= block.length
  return audioFacts(stored.contentType, frames * frameSeconds * (whole ? 1 : audioBytes / offset))
}

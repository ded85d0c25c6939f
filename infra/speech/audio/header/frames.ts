import type { BoundedBytes } from './bounded-bytes.ts'

/** One frame of a stream that is nothing but frames, MP3 or AAC. */
export interface Frame {
  /** Frames of one stream have this in common. */
  readonly stream: string
  readonly sizeBytes: number
  readonly seconds: number
}

export type FrameReader = (block: Buffer, offset: number) => Frame | undefined

const headBytes = 64 * 1024
const sampleBytes = 32 * 1024
/** Where a long stream is looked at again, as parts of its length: its loudness, and so its bitrate, changes. */
const samplePlaces = [0.25, 0.5, 0.75]
/** After a jump into the middle, so many frames in a row are no coincidence. */
export const certainRun = 4

interface Sample {
  readonly bytes: number
  readonly seconds: number
}

/** How long a stream of frames plays: counted when it is short, else its size times what the samples say. */
export async function secondsOfFrames(bytes: BoundedBytes, start: number, read: FrameReader): Promise<number> {
  const streamBytes = bytes.sizeBytes - start
  const head = await bytes.upTo(start, headBytes)
  const samples = [walkFrames(head, 0, read)]
  if (streamBytes <= head.length) return samples[0]!.seconds
  for (const place of samplePlaces) {
    const block = await bytes.upTo(start + Math.floor(streamBytes * place), sampleBytes)
    const offset = findRun(block, read, certainRun)
    if (offset !== undefined) samples.push(walkFrames(block, offset, read))
  }
  const sampledBytes = samples.reduce((sum, sample) => sum + sample.bytes, 0)
  return (samples.reduce((sum, sample) => sum + sample.seconds, 0) / sampledBytes) * streamBytes
}

/** Where `run` frames of one stream follow each other, or undefined. */
export function findRun(block: Buffer, read: FrameReader, run: number): number | undefined {
  for (let offset = block.indexOf(0xff); offset !== -1; offset = block.indexOf(0xff, offset + 1))
    if (isRun(block.subarray(offset), read, run)) return offset
  return undefined
}

export function isRun(block: Buffer, read: FrameReader, run: number): boolean {
  const first = read(block, 0)
  let offset = 0
  for (let frames = 0; frames < run; frames++) {
    const frame = read(block, offset)
    if (!frame || frame.stream !== first?.stream) return false
    offset += frame.sizeBytes
  }
  return true
}

function walkFrames(block: Buffer, start: number, read: FrameReader): Sample {
  let offset = start
  let seconds = 0
  for (let frame = read(block, offset); frame; frame = read(block, offset)) {
    if (offset + frame.sizeBytes > block.length) break
    offset += frame.sizeBytes
    seconds += frame.seconds
  }
  return { bytes: offset - start, seconds }
}

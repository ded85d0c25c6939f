import type { BoundedBytes } from './bounded-bytes.ts'

/** One frame of a stream that is nothing but frames, MP3 or AAC. */
export interface Frame {
  /** Frames of one stream have this in common. */
  readonly stream: number
  readonly sizeBytes: number
  readonly seconds: number
}

export type FrameReader = (block: Buffer, offset: number) => Frame | undefined

const headBytes = 64 * 1024
const sampleBytes = 8 * 1024
/** A long stream is looked at again between its parts: its loudness, and so its bitrate, changes. */
const parts = 8
/** Frames of a few bytes only are nobody's audio, and walking them all would hold up everybody else. */
const mostFramesWalked = 2_048
/** After a jump into the middle, so many frames in a row are no coincidence. */
export const certainRun = 4

interface Sample {
  readonly bytes: number
  readonly seconds: number
}

/** How long a stream of frames plays: counted when it is short, else its size times what the samples say on average. */
export async function secondsOfFrames(bytes: BoundedBytes, read: FrameReader): Promise<number> {
  const head = await bytes.upTo(0, headBytes)
  const counted = walkFrames(head, 0, read)
  if (bytes.sizeBytes <= head.length) return counted.seconds
  const secondsPerByte = [counted.seconds / counted.bytes]
  for (let part = 1; part < parts; part++) {
    const block = await bytes.upTo(Math.floor((bytes.sizeBytes * part) / parts), sampleBytes)
    const offset = findRun(block, read, certainRun)
    if (offset === undefined) continue
    const sample = walkFrames(block, offset, read)
    secondsPerByte.push(sample.seconds / sample.bytes)
  }
  return (bytes.sizeBytes * secondsPerByte.reduce((sum, rate) => sum + rate, 0)) / secondsPerByte.length
}

/** Where `run` frames of one stream follow each other, or undefined. */
export function findRun(block: Buffer, read: FrameReader, run: number): number | undefined {
  for (let offset = 0; offset < block.length; offset++)
    if (block[offset] === firstSyncByte && isRun(block, offset, { read, run })) return offset
  return undefined
}

const firstSyncByte = 0xff

export function isRun(block: Buffer, start: number, input: { read: FrameReader; run: number }): boolean {
  let frame = input.read(block, start)
  let offset = start
  for (let frames = 1; frame && frames < input.run; frames++) {
    offset += frame.sizeBytes
    const next = input.read(block, offset)
    if (next?.stream !== frame.stream) return false
    frame = next
  }
  return frame !== undefined
}

function walkFrames(block: Buffer, start: number, read: FrameReader): Sample {
  let offset = start
  let seconds = 0
  for (let frames = 0; frames < mostFramesWalked; frames++) {
    const frame = read(block, offset)
    if (!frame || offset + frame.sizeBytes > block.length) break
    offset += frame.sizeBytes
    seconds += frame.seconds
  }
  return { bytes: offset - start, seconds }
}

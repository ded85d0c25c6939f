import { secondsOfFrames } from './frames.ts'
import { audioFacts } from './verdict.ts'

import type { BoundedBytes } from './bounded-bytes.ts'
import type { Frame } from './frames.ts'
import type { HeaderVerdict } from './verdict.ts'

const headerBytes = 7
const samplesPerBlock = 1_024
const sampleRates = [
  96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350,
]

export async function readAdts(bytes: BoundedBytes): Promise<HeaderVerdict> {
  return audioFacts('audio/aac', await secondsOfFrames(bytes, readAdtsFrame))
}

/** AAC as it is streamed: each frame has a sync word of 12 bits, a layer of 0, and its own size. */
export function readAdtsFrame(block: Buffer, offset: number): Frame | undefined {
  if (offset + headerBytes > block.length || (block.readUInt16BE(offset) & 0xfff6) !== 0xfff0) return undefined
  const header = block.readUInt32BE(offset + 2)
  const sampleRate = sampleRates[(header >>> 26) & 0x0f]
  const sizeBytes = (header >>> 5) & 0x1fff
  if (!sampleRate || sizeBytes < headerBytes) return undefined
  const blocks = (block.readUInt8(offset + 6) & 0x03) + 1
  return { stream: sampleRate, sizeBytes, seconds: (blocks * samplesPerBlock) / sampleRate }
}

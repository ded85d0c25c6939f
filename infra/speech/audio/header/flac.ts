import { lastSample } from './flac-tail.ts'
import { audioFacts, brokenHeader, impossibleAudio } from './verdict.ts'

import type { BoundedBytes } from './bounded-bytes.ts'
import type { HeaderVerdict } from './verdict.ts'
import type { StreamInfo } from './flac-stream.ts'

const magicBytes = 4
const blockHeaderBytes = 4
const streamInfoBytes = 34

export async function readFlac(bytes: BoundedBytes): Promise<HeaderVerdict> {
  const info = readStreamInfo(await bytes.upTo(magicBytes, blockHeaderBytes + streamInfoBytes))
  if (!info) return brokenHeader('FLAC')
  const impossible = impossibleAudio(info)
  if (impossible) return impossible
  const samples = info.samples || (await lastSample(bytes, info))
  return audioFacts('audio/flac', samples === null ? null : samples / info.sampleRate)
}

/** The first metadata block, with its header: FLAC demands that it is STREAMINFO. */
export function readStreamInfo(block: Buffer): StreamInfo | undefined {
  if (block.length < blockHeaderBytes + streamInfoBytes || (block.readUInt8(0) & 0x7f) !== 0) return undefined
  // 20 bits of sample rate, 3 of channels, 5 of depth, 36 of samples
  const packed = block.readBigUInt64BE(blockHeaderBytes + 10)
  return {
    sampleRate: Number(packed >> 44n),
    channels: Number((packed >> 41n) & 7n) + 1,
    blockSamples: block.readUInt16BE(blockHeaderBytes),
    samples: Number(packed & 0xf_ffff_ffffn),
  }
}

import { audio, brokenHeader, impossibleSound } from './verdict.ts'

import type { BoundedBytes } from './bounded-bytes.ts'
import type { Verdict } from './verdict.ts'

const magicBytes = 4
const blockHeaderBytes = 4
const streamInfoBytes = 34

export interface StreamInfo {
  readonly sampleRate: number
  readonly channels: number
  /** 0 when the encoder did not know. */
  readonly samples: number
}

/** `start` is where `fLaC` stands: some taggers put an ID3 tag before it. */
export async function readFlac(bytes: BoundedBytes, start = 0): Promise<Verdict> {
  const info = readStreamInfo(await bytes.upTo(start + magicBytes, blockHeaderBytes + streamInfoBytes))
  if (!info) return brokenHeader('FLAC')
  return impossibleSound(info) ?? audio('audio/flac', info.samples / info.sampleRate)
}

/** The first metadata block, with its header: FLAC demands that it is STREAMINFO. */
export function readStreamInfo(block: Buffer): StreamInfo | undefined {
  if (block.length < blockHeaderBytes + streamInfoBytes || (block.readUInt8(0) & 0x7f) !== 0) return undefined
  // 20 bits of sample rate, 3 of channels, 5 of depth, 36 of samples
  const packed = block.readBigUInt64BE(blockHeaderBytes + 10)
  return {
    sampleRate: Number(packed >> 44n),
    channels: Number((packed >> 41n) & 7n) + 1,
    samples: Number(packed & 0xf_ffff_ffffn),
  }
}

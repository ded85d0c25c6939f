import { audio, brokenHeader, impossibleSound, noSound } from './verdict.ts'

import type { BoundedBytes } from './bounded-bytes.ts'
import type { Verdict } from './verdict.ts'

const headerBytes = 24
const unknownSize = 0xffffffff

/** Bits a sample by encoding: G.711, PCM, float, and the G.72x family. */
const bitsOf = new Map([
  [1, 8],
  [2, 8],
  [3, 16],
  [4, 24],
  [5, 32],
  [6, 32],
  [7, 64],
  [23, 4],
  [24, 8],
  [25, 3],
  [26, 5],
  [27, 8],
])

export async function readAu(bytes: BoundedBytes): Promise<Verdict> {
  const header = await bytes.exactly(0, headerBytes)
  if (!header) return brokenHeader('AU')
  const start = header.readUInt32BE(4)
  const declared = header.readUInt32BE(8)
  const sound = { sampleRate: header.readUInt32BE(16), channels: header.readUInt32BE(20) }
  const impossible = impossibleSound(sound)
  if (impossible) return impossible
  if (start < headerBytes) return brokenHeader('AU')
  const left = bytes.sizeBytes - start
  const soundBytes = declared === unknownSize ? left : Math.min(declared, left)
  if (soundBytes <= 0) return noSound('AU')
  const bits = bitsOf.get(header.readUInt32BE(12))
  return audio('audio/basic', bits ? (soundBytes * 8) / (bits * sound.channels * sound.sampleRate) : null)
}

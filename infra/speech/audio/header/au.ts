import { audioFacts, brokenHeader, impossibleAudio, noAudio } from './verdict.ts'

import type { BoundedBytes } from './bounded-bytes.ts'
import type { HeaderVerdict } from './verdict.ts'

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

export async function readAu(bytes: BoundedBytes): Promise<HeaderVerdict> {
  const header = await bytes.exactly(0, headerBytes)
  if (!header) return brokenHeader('AU')
  const start = header.readUInt32BE(4)
  const declared = header.readUInt32BE(8)
  const audio = { sampleRate: header.readUInt32BE(16), channels: header.readUInt32BE(20) }
  const impossible = impossibleAudio(audio)
  if (impossible) return impossible
  if (start < headerBytes) return brokenHeader('AU')
  const left = bytes.sizeBytes - start
  const audioBytes = declared === unknownSize ? left : Math.min(declared, left)
  if (audioBytes <= 0) return noAudio('AU')
  const bits = bitsOf.get(header.readUInt32BE(12))
  return audioFacts('audio/basic', bits ? (audioBytes * 8) / (bits * audio.channels * audio.sampleRate) : null)
}

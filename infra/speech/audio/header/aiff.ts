import { audioFacts, brokenHeader, impossibleAudio } from './verdict.ts'

import type { BoundedBytes } from './bounded-bytes.ts'
import type { HeaderVerdict } from './verdict.ts'

const mostChunks = 64
const chunkHeaderBytes = 8
const commonBytes = 18
const commonOfAifcBytes = 22

/** QuickTime counts packets, not samples, where the audio comes in packets of a fixed number of samples. */
const samplesPerPacket = new Map([
  ['ima4', 64],
  ['MAC3', 6],
  ['MAC6', 6],
])

export function isAiff(start: Buffer): boolean {
  return /^FORM[^]{4}AIF[FC]/.test(start.toString('latin1', 0, 12))
}

/** AIFF and AIFC: like RIFF with the other byte order, and with one chunk that says everything. */
export async function readAiff(bytes: BoundedBytes): Promise<HeaderVerdict> {
  let offset = 12
  for (let walked = 0; walked < mostChunks; walked++) {
    const header = await bytes.exactly(offset, chunkHeaderBytes)
    if (!header) break
    const size = header.readUInt32BE(4)
    if (header.toString('latin1', 0, 4) === 'COMM')
      return audioOf(await bytes.upTo(offset + chunkHeaderBytes, Math.min(size, commonOfAifcBytes)))
    offset += chunkHeaderBytes + size + (size % 2)
  }
  return brokenHeader('AIFF')
}

function audioOf(common: Buffer): HeaderVerdict {
  if (common.length < commonBytes) return brokenHeader('AIFF')
  const audio = { channels: common.readUInt16BE(0), sampleRate: readExtended(common, 8) }
  const impossible = impossibleAudio(audio)
  if (impossible) return impossible
  const packets = common.readUInt32BE(2)
  const samples = packets * (samplesPerPacket.get(common.toString('latin1', 18, 22)) ?? 1)
  return audioFacts('audio/aiff', samples / audio.sampleRate)
}

/** A float of 80 bits: a sign and an exponent in 16, then all of the mantissa in 64. */
function readExtended(bytes: Buffer, offset: number): number {
  const exponent = bytes.readInt16BE(offset)
  return exponent < 0 ? -1 : Number(bytes.readBigUInt64BE(offset + 2)) * 2 ** (exponent - 16_383 - 63)
}

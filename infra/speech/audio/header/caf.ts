import { audioFacts, brokenHeader, impossibleAudio, noAudio } from './verdict.ts'

import type { BoundedBytes } from './bounded-bytes.ts'
import type { HeaderVerdict } from './verdict.ts'

const mostChunks = 64
const chunkHeaderBytes = 12
const descriptionBytes = 32
const packetTableBytes = 24
const editCountBytes = 4
const contentType = 'audio/x-caf'

interface Description {
  readonly sampleRate: number
  readonly channels: number
  readonly bytesPerPacket: number
  readonly framesPerPacket: number
}

/** Apple's Core Audio Format: the description comes first; sound in packets of varying size has a table that counts them. */
export async function readCaf(bytes: BoundedBytes): Promise<HeaderVerdict> {
  const description = await descriptionOf(bytes)
  if (!description) return brokenHeader('CAF')
  const impossible = impossibleAudio(description)
  if (impossible) return impossible
  return audioOf(bytes, description)
}

async function descriptionOf(bytes: BoundedBytes): Promise<Description | undefined> {
  const chunk = await bytes.exactly(8, chunkHeaderBytes + descriptionBytes)
  if (chunk?.toString('latin1', 0, 4) !== 'desc') return undefined
  const body = chunk.subarray(chunkHeaderBytes)
  return {
    sampleRate: body.readDoubleBE(0),
    bytesPerPacket: body.readUInt32BE(16),
    framesPerPacket: body.readUInt32BE(20),
    channels: body.readUInt32BE(24),
  }
}

async function audioOf(bytes: BoundedBytes, description: Description): Promise<HeaderVerdict> {
  const { sampleRate, bytesPerPacket, framesPerPacket } = description
  let offset = 8
  let hasAudio = false
  for (let walked = 0; walked < mostChunks; walked++) {
    const header = await bytes.exactly(offset, chunkHeaderBytes)
    if (!header) break
    const name = header.toString('latin1', 0, 4)
    const left = bytes.sizeBytes - offset - chunkHeaderBytes
    const declared = Number(header.readBigInt64BE(4))
    const size = declared < 0 ? left : declared
    if (name === 'pakt') {
      const table = await bytes.exactly(offset + chunkHeaderBytes, packetTableBytes)
      if (table) return audioFacts(contentType, Number(table.readBigInt64BE(8)) / sampleRate)
    }
    if (name === 'data') {
      const audioBytes = Math.min(size, left) - editCountBytes
      if (audioBytes <= 0) return noAudio('CAF')
      if (bytesPerPacket > 0)
        return audioFacts(contentType, ((audioBytes / bytesPerPacket) * framesPerPacket) / sampleRate)
      hasAudio = true
    }
    offset += chunkHeaderBytes + size
  }
  return hasAudio ? audioFacts(contentType, null) : brokenHeader('CAF')
}

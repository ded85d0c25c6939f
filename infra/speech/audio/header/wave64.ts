import { audioFacts, brokenHeader, impossibleAudio, noAudio } from './verdict.ts'
import { formatBytes, littleEndian, waveFormatIn, waveSeconds } from './wave-format.ts'

import type { BoundedBytes } from './bounded-bytes.ts'
import type { HeaderVerdict } from './verdict.ts'
import type { WaveFormat } from './wave-format.ts'

const mostChunks = 64
const idBytes = 16
const chunkHeaderBytes = 24
const fileHeaderBytes = chunkHeaderBytes + idBytes
const alignment = 8

/** GUIDs as they stand in the file; all but the first end alike. */
const riffId = '726966662e91cf11a5d628db04c10000'
const waveId = '77617665f3acd3118cd100c04f8edb8a'
const formatId = '666d7420f3acd3118cd100c04f8edb8a'
const factId = '66616374f3acd3118cd100c04f8edb8a'
const dataId = '64617461f3acd3118cd100c04f8edb8a'

interface Noted {
  format?: WaveFormat
  samples?: number
}

export function isWave64(start: Buffer): boolean {
  return (
    start.toString('hex', 0, idBytes) === riffId && start.toString('hex', chunkHeaderBytes, fileHeaderBytes) === waveId
  )
}

/** Sony's WAV for files above 4 GB: names are GUIDs, sizes have 64 bits and count their own header, bodies fill up to 8. */
export async function readWave64(bytes: BoundedBytes): Promise<HeaderVerdict> {
  const noted: Noted = {}
  let offset = fileHeaderBytes
  for (let walked = 0; walked < mostChunks; walked++) {
    const header = await bytes.exactly(offset, chunkHeaderBytes)
    if (!header) break
    const size = Number(header.readBigUInt64LE(idBytes))
    const chunk = {
      id: header.toString('hex', 0, idBytes),
      start: offset + chunkHeaderBytes,
      size: size - chunkHeaderBytes,
    }
    if (chunk.size < 0) break
    if (chunk.id === dataId) return audioOf(bytes, noted, chunk)
    await note(bytes, noted, chunk)
    offset += Math.ceil(size / alignment) * alignment
  }
  return brokenHeader('Wave64')
}

async function note(
  bytes: BoundedBytes,
  noted: Noted,
  chunk: { id: string; start: number; size: number },
): Promise<void> {
  if (chunk.id === formatId) {
    const format = waveFormatIn(await bytes.upTo(chunk.start, Math.min(chunk.size, formatBytes)), littleEndian)
    if (format) noted.format = format
  }
  if (chunk.id === factId) {
    const fact = await bytes.exactly(chunk.start, 8)
    if (fact) noted.samples = Number(fact.readBigUInt64LE(0))
  }
}

function audioOf(
  bytes: BoundedBytes,
  { format, samples }: Noted,
  body: { start: number; size: number },
): HeaderVerdict {
  if (!format) return brokenHeader('Wave64')
  const impossible = impossibleAudio(format)
  if (impossible) return impossible
  const left = bytes.sizeBytes - body.start
  const audioBytes = Math.min(body.size, left)
  if (audioBytes <= 0) return noAudio('Wave64')
  return audioFacts(
    'audio/x-w64',
    waveSeconds(format, { audioBytes, samples: body.size <= left ? samples : undefined }),
  )
}

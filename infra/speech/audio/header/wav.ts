import { audioFacts, brokenHeader, impossibleAudio, noAudio, notAudio } from './verdict.ts'
import { bigEndian, formatBytes, littleEndian, waveFormatIn, waveSeconds } from './wave-format.ts'

import type { BoundedBytes } from './bounded-bytes.ts'
import type { HeaderVerdict } from './verdict.ts'
import type { ByteOrder, WaveFormat } from './wave-format.ts'

const mostChunks = 64
const riffHeaderBytes = 12
const chunkHeaderBytes = 8
const plainFormatBytes = 16

/** Recorders that stream write one of these where the size of the audio would be: they did not know it yet. */
const unknownSizes = new Set([0, 0xffffffff])

const extendedRifx = 'is a RIFX with an extended format, which this service does not read: save it as WAV (RIFF)'

interface Chunks {
  format?: WaveFormat
  samples?: number
  sizeIn64Bits?: number
}

export function isWav(start: Buffer): boolean {
  return /^(?:RIFF|RF64|BW64)[^]{4}WAVE/.test(start.toString('latin1', 0, riffHeaderBytes))
}

export function isRifx(start: Buffer): boolean {
  return /^RIFX[^]{4}WAVE/.test(start.toString('latin1', 0, riffHeaderBytes))
}

export function readWav(bytes: BoundedBytes): Promise<HeaderVerdict> {
  return readChunks(bytes, littleEndian)
}

/** RIFF in the other byte order. */
export function readRifx(bytes: BoundedBytes): Promise<HeaderVerdict> {
  return readChunks(bytes, bigEndian)
}

/** RIFF, and its 64-bit forms RF64 and BW64: chunks of a name, a size, a body, and a filler byte after an odd body. */
async function readChunks(bytes: BoundedBytes, order: ByteOrder): Promise<HeaderVerdict> {
  const chunks: Chunks = {}
  let offset = riffHeaderBytes
  for (let walked = 0; walked < mostChunks; walked++) {
    const header = await bytes.exactly(offset, chunkHeaderBytes)
    if (!header) break
    const size = order.u32(header, 4)
    const body = { start: offset + chunkHeaderBytes, size }
    const name = header.toString('latin1', 0, 4)
    if (name === 'data') return audioOf(bytes, chunks, body)
    // the decoder reads the plain format only in this order
    if (name === 'fmt ' && order === bigEndian && size > plainFormatBytes) return notAudio(extendedRifx)
    await note(bytes, chunks, { name, order, ...body })
    offset = body.start + size + (size % 2)
  }
  return brokenHeader('WAV')
}

async function note(
  bytes: BoundedBytes,
  chunks: Chunks,
  chunk: { name: string; order: ByteOrder; start: number; size: number },
): Promise<void> {
  if (chunk.name === 'fmt ') {
    const format = waveFormatIn(await bytes.upTo(chunk.start, Math.min(chunk.size, formatBytes)), chunk.order)
    if (format) chunks.format = format
  }
  if (chunk.name === 'fact') {
    const fact = await bytes.exactly(chunk.start, 4)
    if (fact) chunks.samples = chunk.order.u32(fact, 0)
  }
  if (chunk.name === 'ds64') {
    const sizes = await bytes.exactly(chunk.start, 16)
    if (sizes) chunks.sizeIn64Bits = Number(sizes.readBigUInt64LE(8))
  }
}

function audioOf(bytes: BoundedBytes, chunks: Chunks, body: { start: number; size: number }): HeaderVerdict {
  const { format } = chunks
  if (!format) return brokenHeader('WAV')
  const impossible = impossibleAudio(format)
  if (impossible) return impossible
  const left = bytes.sizeBytes - body.start
  const declared = unknownSizes.has(body.size) ? (chunks.sizeIn64Bits ?? left) : body.size
  const audioBytes = Math.min(declared, left)
  if (audioBytes <= 0) return noAudio('WAV')
  const samples = declared <= left ? chunks.samples : undefined
  return audioFacts('audio/wav', waveSeconds(format, { audioBytes, samples }))
}

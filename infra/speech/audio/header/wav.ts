import { audio, brokenHeader, impossibleSound, noSound } from './verdict.ts'

import type { BoundedBytes } from './bounded-bytes.ts'
import type { Verdict } from './verdict.ts'

const mostChunks = 64
const chunkHeaderBytes = 8
const leastFormatBytes = 16
const extensibleFormatBytes = 26

const extensible = 0xfffe
/** PCM, float, A-law and µ-law: a length in bytes is a length in time. */
const constantRate = new Set([1, 3, 6, 7])

/** Recorders that stream write one of these where the size of the sound would be: they did not know it yet. */
const unknownSizes = new Set([0, 0xffffffff])

interface Format {
  readonly tag: number
  readonly channels: number
  readonly sampleRate: number
  readonly bytesPerSecond: number
  readonly bitsPerSample: number
}

interface Chunks {
  format?: Format
  samples?: number
  sizeIn64Bits?: number
}

/** RIFF, and its 64-bit forms RF64 and BW64: chunks of a name, a size, a body, and a filler byte after an odd body. */
export async function readWav(bytes: BoundedBytes): Promise<Verdict> {
  const chunks: Chunks = {}
  let offset = 12
  for (let walked = 0; walked < mostChunks; walked++) {
    const header = await bytes.exactly(offset, chunkHeaderBytes)
    if (!header) break
    const size = header.readUInt32LE(4)
    const body = { start: offset + chunkHeaderBytes, size }
    const name = header.toString('latin1', 0, 4)
    if (name === 'data') return soundOf(bytes, chunks, body)
    await note(bytes, chunks, { name, ...body })
    offset = body.start + size + (size % 2)
  }
  return brokenHeader('WAV')
}

async function note(
  bytes: BoundedBytes,
  chunks: Chunks,
  chunk: { name: string; start: number; size: number },
): Promise<void> {
  if (chunk.name === 'fmt ' && chunk.size >= leastFormatBytes) {
    const format = formatIn(await bytes.upTo(chunk.start, Math.min(chunk.size, extensibleFormatBytes)))
    if (format) chunks.format = format
  }
  if (chunk.name === 'fact') {
    const fact = await bytes.exactly(chunk.start, 4)
    if (fact) chunks.samples = fact.readUInt32LE(0)
  }
  if (chunk.name === 'ds64') {
    const sizes = await bytes.exactly(chunk.start, 16)
    if (sizes) chunks.sizeIn64Bits = Number(sizes.readBigUInt64LE(8))
  }
}

function formatIn(body: Buffer): Format | undefined {
  if (body.length < leastFormatBytes) return undefined
  const tag = body.readUInt16LE(0)
  return {
    tag: tag === extensible && body.length >= extensibleFormatBytes ? body.readUInt16LE(24) : tag,
    channels: body.readUInt16LE(2),
    sampleRate: body.readUInt32LE(4),
    bytesPerSecond: body.readUInt32LE(8),
    bitsPerSample: body.readUInt16LE(14),
  }
}

function soundOf(bytes: BoundedBytes, chunks: Chunks, body: { start: number; size: number }): Verdict {
  const { format } = chunks
  if (!format) return brokenHeader('WAV')
  const impossible = impossibleSound(format)
  if (impossible) return impossible
  const left = bytes.sizeBytes - body.start
  const declared = unknownSizes.has(body.size) ? (chunks.sizeIn64Bits ?? left) : body.size
  const soundBytes = Math.min(declared, left)
  if (soundBytes <= 0) return noSound('WAV')
  return audio('audio/wav', secondsOf(chunks, format, { soundBytes, complete: declared <= left }))
}

function secondsOf(chunks: Chunks, format: Format, sound: { soundBytes: number; complete: boolean }): number | null {
  if (constantRate.has(format.tag)) {
    const bytesPerSample = Math.ceil(format.bitsPerSample / 8)
    return sound.soundBytes / (format.sampleRate * format.channels * bytesPerSample)
  }
  if (chunks.samples && sound.complete) return chunks.samples / format.sampleRate
  return format.bytesPerSecond > 0 ? sound.soundBytes / format.bytesPerSecond : null
}

/** What a `fmt ` chunk says, in RIFF of either byte order and in Wave64. */
export interface WaveFormat {
  readonly tag: number
  readonly channels: number
  readonly sampleRate: number
  readonly bytesPerSecond: number
  readonly bitsPerSample: number
}

/** Numbers of two and four bytes in the order of a file. */
export interface ByteOrder {
  readonly u16: (bytes: Buffer, offset: number) => number
  readonly u32: (bytes: Buffer, offset: number) => number
}

export const littleEndian: ByteOrder = {
  u16: (bytes, offset) => bytes.readUInt16LE(offset),
  u32: (bytes, offset) => bytes.readUInt32LE(offset),
}

export const bigEndian: ByteOrder = {
  u16: (bytes, offset) => bytes.readUInt16BE(offset),
  u32: (bytes, offset) => bytes.readUInt32BE(offset),
}

const leastFormatBytes = 16
/** Of an extensible format: up to the subformat that says what it is. */
export const formatBytes = 26

const extensible = 0xfffe
/** PCM, float, A-law and µ-law: a length in bytes is a length in time. */
const constantRate = new Set([1, 3, 6, 7])

export function waveFormatIn(body: Buffer, { u16, u32 }: ByteOrder): WaveFormat | undefined {
  if (body.length < leastFormatBytes) return undefined
  const tag = u16(body, 0)
  return {
    tag: tag === extensible && body.length >= formatBytes ? u16(body, 24) : tag,
    channels: u16(body, 2),
    sampleRate: u32(body, 4),
    bytesPerSecond: u32(body, 8),
    bitsPerSample: u16(body, 14),
  }
}

interface WaveAudio {
  readonly audioBytes: number
  /** As a `fact` chunk counts them: believed only of audio that is all there. */
  readonly samples: number | undefined
}

export function waveSeconds(format: WaveFormat, { audioBytes, samples }: WaveAudio): number | null {
  if (constantRate.has(format.tag)) {
    const bytesPerSample = Math.ceil(format.bitsPerSample / 8)
    return audioBytes / (format.sampleRate * format.channels * bytesPerSample)
  }
  if (samples) return samples / format.sampleRate
  return format.bytesPerSecond > 0 ? audioBytes / format.bytesPerSecond : null
}

const bytesPerSample = 2

interface WavShape {
  readonly seconds: number
  readonly hz?: number
  readonly channels?: number
}

/** A tone of 440 Hz as 16-bit PCM, the way most recorders write it: 16,000 samples a second and one channel unless told. */
export function aWav({ seconds, hz = 16_000, channels = 1 }: WavShape): Uint8Array {
  const frames = Math.round(seconds * hz)
  const audio = Buffer.alloc(frames * channels * bytesPerSample)
  for (let frame = 0; frame < frames; frame++) {
    const level = Math.round(8_000 * Math.sin((2 * Math.PI * 440 * frame) / hz))
    for (let channel = 0; channel < channels; channel++)
      audio.writeInt16LE(level, (frame * channels + channel) * bytesPerSample)
  }
  return aRiff([aWavFormat({ hz, channels }), ['data', audio]])
}

/** What most uploads of tests are: two files that can be told apart by their length. */
export const twoRecordings = [
  { name: 'one.wav', content: aWav({ seconds: 0.5 }) },
  { name: 'two.wav', content: aWav({ seconds: 1 }) },
] as const

type MediaChunk = readonly [name: string, body: Uint8Array, declaredSize?: number]

interface WavFormat {
  readonly tag?: number
  readonly hz?: number
  readonly channels?: number
  readonly bits?: number
  readonly bytesPerSecond?: number
  readonly extra?: Uint8Array
}

export function aWavFormat(format: WavFormat = {}): MediaChunk {
  const { tag = 1, hz = 16_000, channels = 1, bits = 16, extra = new Uint8Array() } = format
  const body = Buffer.alloc(16)
  body.writeUInt16LE(tag, 0)
  body.writeUInt16LE(channels, 2)
  body.writeUInt32LE(hz, 4)
  body.writeUInt32LE(format.bytesPerSecond ?? Math.min((hz * channels * bits) / 8, 0xffffffff), 8)
  body.writeUInt16LE(Math.min((channels * bits) / 8, 0xffff), 12)
  body.writeUInt16LE(bits, 14)
  return ['fmt ', Buffer.concat([body, extra])]
}

/** A RIFF file of these chunks, each padded to an even length; a size may lie. */
export function aRiff(chunks: readonly MediaChunk[], form: { magic?: string; type?: string } = {}): Buffer {
  const body = Buffer.concat(chunks.map(aRiffChunk))
  return Buffer.concat([asciiText(form.magic ?? 'RIFF'), u32le(body.length + 4), asciiText(form.type ?? 'WAVE'), body])
}

function aRiffChunk([name, body, declaredSize]: MediaChunk): Buffer {
  return Buffer.concat([asciiText(name), u32le(declaredSize ?? body.length), body, Buffer.alloc(body.length % 2)])
}

export function asciiText(characters: string): Buffer {
  return Buffer.from(characters, 'latin1')
}

export function u16le(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16LE(value)
  return bytes
}

export function u32le(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

export function u64le(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt(value))
  return bytes
}

/** MPEG 1 layer III at 128 kbit/s and 44,100 samples a second: 417 bytes of audio for 26 ms. */
export function anMp3Frame(fill: Uint8Array = new Uint8Array(), offset = 4): Buffer {
  const frame = Buffer.alloc(417)
  frame.set([0xff, 0xfb, 0x90, 0xc0])
  frame.set(fill, offset)
  return frame
}

export function anId3Tag(bodyBytes: number): Buffer {
  const size = [21, 14, 7, 0].map((shift) => (bodyBytes >> shift) & 0x7f)
  return Buffer.concat([asciiText('ID3'), Buffer.of(4, 0, 0, ...size), Buffer.alloc(bodyBytes)])
}

/** A frame of AAC of so many bytes at 16,000 samples a second: 64 ms. */
export function anAdtsFrame(sizeBytes: number): Buffer {
  const frame = Buffer.alloc(sizeBytes)
  frame.set([0xff, 0xf1, 0x60, 0x40 | (sizeBytes >> 11), (sizeBytes >> 3) & 0xff, ((sizeBytes & 7) << 5) | 0x1f, 0xfc])
  return frame
}

export function repeated(times: number, part: Uint8Array): Buffer {
  return Buffer.concat(Array.from({ length: times }, () => part))
}

interface OggPageShape {
  readonly granule: bigint
  readonly serial?: number
  readonly first?: boolean
  readonly body?: Uint8Array
}

/** Without its checksum, which a probe has no use for. */
export function anOggPage({ granule, serial = 7, first = false, body = new Uint8Array() }: OggPageShape): Buffer {
  const header = Buffer.alloc(27)
  header.write('OggS', 0, 'latin1')
  header.writeUInt8(first ? 2 : 0, 5)
  header.writeBigUInt64LE(granule, 6)
  header.writeUInt32LE(serial, 14)
  const lacing = Buffer.of(...Array<number>(Math.floor(body.length / 255)).fill(255), body.length % 255)
  header.writeUInt8(lacing.length, 26)
  return Buffer.concat([header, lacing, body])
}

export function anOpusHead(channels = 1, preSkip = 312): Buffer {
  return Buffer.concat([asciiText('OpusHead'), Buffer.of(1, channels), u16le(preSkip), u32le(16_000), Buffer.alloc(3)])
}

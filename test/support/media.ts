const bytesPerSample = 2

export interface WavShape {
  readonly seconds: number
  readonly hz?: number
  readonly channels?: number
}

/** A tone of 440 Hz as 16-bit PCM, the way most recorders write it: 16,000 samples a second and one channel unless told. */
export function aWav({ seconds, hz = 16_000, channels = 1 }: WavShape): Uint8Array {
  const frames = Math.round(seconds * hz)
  const sound = Buffer.alloc(frames * channels * bytesPerSample)
  for (let frame = 0; frame < frames; frame++) {
    const level = Math.round(8_000 * Math.sin((2 * Math.PI * 440 * frame) / hz))
    for (let channel = 0; channel < channels; channel++)
      sound.writeInt16LE(level, (frame * channels + channel) * bytesPerSample)
  }
  return aRiff([aWavFormat({ hz, channels }), ['data', sound]])
}

export type Chunk = readonly [name: string, body: Uint8Array, declaredSize?: number]

export interface WavFormat {
  readonly tag?: number
  readonly hz?: number
  readonly channels?: number
  readonly bits?: number
  readonly bytesPerSecond?: number
  readonly extra?: Uint8Array
}

export function aWavFormat(format: WavFormat = {}): Chunk {
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
export function aRiff(chunks: readonly Chunk[], form: { magic?: string; type?: string } = {}): Buffer {
  const body = Buffer.concat(chunks.map(aRiffChunk))
  return Buffer.concat([text(form.magic ?? 'RIFF'), u32le(body.length + 4), text(form.type ?? 'WAVE'), body])
}

function aRiffChunk([name, body, declaredSize]: Chunk): Buffer {
  return Buffer.concat([text(name), u32le(declaredSize ?? body.length), body, Buffer.alloc(body.length % 2)])
}

export function text(characters: string): Buffer {
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

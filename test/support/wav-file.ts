import { writeFile } from 'node:fs/promises'

const rate = 16_000
const sampleBytes = 2

/** 16 bit, 16 kHz; channels that are shorter than the first are silent at their end. */
export async function writeWav(path: string, ...channels: readonly Float32Array[]): Promise<string> {
  const length = channels[0]?.length ?? 0
  const interleaved = new Float32Array(length * channels.length)
  for (const [channel, samples] of channels.entries())
    for (let i = 0; i < length; i += 1) interleaved[i * channels.length + channel] = samples[i] ?? 0
  await writeFile(path, Buffer.concat([wavHeader(length, channels.length), wavSamples(interleaved)]))
  return path
}

/** `samples` of each channel. */
export function wavHeader(samples: number, channels = 1): Buffer {
  const dataBytes = sampleBytes * channels * samples
  const header = Buffer.alloc(44)
  header.write('RIFF', 0)
  header.writeUInt32LE(36 + dataBytes, 4)
  header.write('WAVEfmt ', 8)
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(channels, 22)
  header.writeUInt32LE(rate, 24)
  header.writeUInt32LE(rate * sampleBytes * channels, 28)
  header.writeUInt16LE(sampleBytes * channels, 32)
  header.writeUInt16LE(8 * sampleBytes, 34)
  header.write('data', 36)
  header.writeUInt32LE(dataBytes, 40)
  return header
}

export function wavSamples(samples: Float32Array): Buffer {
  const data = Int16Array.from(samples, (sample) => Math.round(Math.max(-1, Math.min(1, sample)) * 32_767))
  return Buffer.from(data.buffer)
}

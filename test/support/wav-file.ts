import { writeFile } from 'node:fs/promises'

const rate = 16_000
const sampleBytes = 2

/** 16 bit, 16 kHz; channels that are shorter than the first are silent at their end. */
export async function writeWav(path: string, ...channels: readonly Float32Array[]): Promise<string> {
  const length = channels[0]?.length ?? 0
  const data = new Int16Array(length * channels.length)
  for (const [channel, samples] of channels.entries())
    for (let i = 0; i < length; i += 1)
      data[i * channels.length + channel] = Math.round(Math.max(-1, Math.min(1, samples[i] ?? 0)) * 32_767)
  const header = Buffer.alloc(44)
  header.write('RIFF', 0)
  header.writeUInt32LE(36 + data.byteLength, 4)
  header.write('WAVEfmt ', 8)
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(channels.length, 22)
  header.writeUInt32LE(rate, 24)
  header.writeUInt32LE(rate * sampleBytes * channels.length, 28)
  header.writeUInt16LE(sampleBytes * channels.length, 32)
  header.writeUInt16LE(8 * sampleBytes, 34)
  header.write('data', 36)
  header.writeUInt32LE(data.byteLength, 40)
  await writeFile(path, Buffer.concat([header, Buffer.from(data.buffer)]))
  return path
}

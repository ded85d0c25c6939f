import { writeFile } from 'node:fs/promises'

/** Mono, 16 bit, 16 kHz. */
export async function writeWav(path: string, samples: Float32Array): Promise<string> {
  await writeFile(path, Buffer.concat([wavHeader(samples.length), wavSamples(samples)]))
  return path
}

export function wavHeader(samples: number): Buffer {
  const dataBytes = 2 * samples
  const header = Buffer.alloc(44)
  header.write('RIFF', 0)
  header.writeUInt32LE(36 + dataBytes, 4)
  header.write('WAVEfmt ', 8)
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(16_000, 24)
  header.writeUInt32LE(32_000, 28)
  header.writeUInt16LE(2, 32)
  header.writeUInt16LE(16, 34)
  header.write('data', 36)
  header.writeUInt32LE(dataBytes, 40)
  return header
}

export function wavSamples(samples: Float32Array): Buffer {
  const data = Int16Array.from(samples, (sample) => Math.round(Math.max(-1, Math.min(1, sample)) * 32_767))
  return Buffer.from(data.buffer)
}

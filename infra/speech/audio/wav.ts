import { recogniserRate } from '../../../actors/conversation/ports.ts'

/** Sound as every player takes it: 16-bit mono at 16 kHz, with further RIFF chunks that players pass over. */
interface Wav {
  readonly samples: Float32Array
  /** By their names of four letters. */
  readonly extra: ReadonlyMap<string, Uint8Array>
}

const riffHeaderBytes = 12
const chunkHeaderBytes = 8
const formatBytes = 16
const sampleBytes = 2
const audioFrom = riffHeaderBytes + chunkHeaderBytes + formatBytes + chunkHeaderBytes
const pcm = 1
const fullScale = 32_768

/** Louder than full scale is clipped. The same sound gives the same bytes. */
export function encodeWav({ samples, extra }: Wav): Uint8Array {
  const audioBytes = samples.length * sampleBytes
  // after the audio, where even a program that expects 44 bytes of header is not disturbed
  const behind = [...extra].flatMap(([name, content]) => [header(name, content.length), content, padding(content)])
  const sizeBytes = audioFrom + audioBytes + behind.reduce((sum, { length }) => sum + length, 0)
  const bytes = Buffer.alloc(sizeBytes)
  const riff = [header('RIFF', sizeBytes - chunkHeaderBytes), Buffer.from('WAVE', 'latin1')]
  place(bytes, 0, [...riff, header('fmt ', formatBytes), format(), header('data', audioBytes)])
  const audio = new Int16Array(bytes.buffer, bytes.byteOffset + audioFrom, samples.length)
  for (let i = 0; i < samples.length; i += 1)
    audio[i] = Math.max(-fullScale, Math.min(fullScale - 1, Math.round(samples[i]! * fullScale)))
  place(bytes, audioFrom + audioBytes, behind)
  return bytes
}

function place(bytes: Uint8Array, from: number, parts: readonly Uint8Array[]): void {
  let at = from
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
}

/** Undefined for anything but what `encodeWav` writes. */
export function decodeWav(bytes: Uint8Array): Wav | undefined {
  const chunks = riffChunks(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  const [form, data] = [chunks?.get('fmt '), chunks?.get('data')]
  if (!chunks || !form || !data || !format().equals(form.subarray(0, formatBytes))) return undefined
  // where the bytes begin at an odd place they are copied, because a view of 16 bits may not
  const aligned = data.byteOffset % sampleBytes === 0 ? data : new Uint8Array(data)
  const audio = new Int16Array(aligned.buffer, aligned.byteOffset, Math.floor(data.length / sampleBytes))
  const samples = new Float32Array(audio.length)
  for (let i = 0; i < audio.length; i += 1) samples[i] = audio[i]! / fullScale
  chunks.delete('fmt ')
  chunks.delete('data')
  return { samples, extra: chunks }
}

function riffChunks(bytes: Buffer): Map<string, Uint8Array> | undefined {
  if (bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, 12) !== 'WAVE') return undefined
  const chunks = new Map<string, Uint8Array>()
  for (let at = riffHeaderBytes; at + chunkHeaderBytes <= bytes.length;) {
    const sizeBytes = bytes.readUInt32LE(at + 4)
    const from = at + chunkHeaderBytes
    if (from + sizeBytes > bytes.length) return undefined
    chunks.set(bytes.toString('latin1', at, at + 4), bytes.subarray(from, from + sizeBytes))
    at = from + sizeBytes + (sizeBytes % 2)
  }
  return chunks
}

function format(): Buffer {
  const body = Buffer.alloc(formatBytes)
  body.writeUInt16LE(pcm, 0)
  body.writeUInt16LE(1, 2) // channels
  body.writeUInt32LE(recogniserRate, 4)
  body.writeUInt32LE(recogniserRate * sampleBytes, 8)
  body.writeUInt16LE(sampleBytes, 12)
  body.writeUInt16LE(8 * sampleBytes, 14)
  return body
}

function header(name: string, sizeBytes: number): Buffer {
  const bytes = Buffer.alloc(chunkHeaderBytes)
  bytes.write(name, 'latin1')
  bytes.writeUInt32LE(sizeBytes, 4)
  return bytes
}

function padding({ length }: Uint8Array): Uint8Array {
  return new Uint8Array(length % 2)
}

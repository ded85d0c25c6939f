import { spokenRate } from '../../../../actors/conversation/ports.ts'

const headerBytes = 44
const sampleBytes = 2
const pcm = 1
/** Where the length is not known when the header is sent: players take it for "until it ends". */
const unknownBytes = 0xff_ff_ff_ff

/** The header of a WAV file with spoken sound, 16-bit and mono, for so many bytes of samples. */
export function spokenWavHeader(sizeBytes?: number, rate: number = spokenRate): Uint8Array {
  const bytes = new Uint8Array(headerBytes)
  const header = new DataView(bytes.buffer)
  const name = (at: number, letters: string): void => bytes.set(new TextEncoder().encode(letters), at)
  name(0, 'RIFF')
  header.setUint32(4, sizeBytes === undefined ? unknownBytes : sizeBytes + headerBytes - 8, true)
  name(8, 'WAVEfmt ')
  header.setUint32(16, 16, true)
  header.setUint16(20, pcm, true)
  header.setUint16(22, 1, true) // channels
  header.setUint32(24, rate, true)
  header.setUint32(28, rate * sampleBytes, true)
  header.setUint16(32, sampleBytes, true)
  header.setUint16(34, 8 * sampleBytes, true)
  name(36, 'data')
  header.setUint32(40, sizeBytes ?? unknownBytes, true)
  return bytes
}

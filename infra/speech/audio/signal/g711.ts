/** G.711, the audio of telephones: 14 bits of µ-law or 13 of A-law in a byte. */
type G711Law = 'mu-law' | 'a-law'

export function decodeG711(bytes: Uint8Array, law: G711Law): Int16Array<ArrayBuffer> {
  const table = law === 'mu-law' ? muLawTable : aLawTable
  const pcm = new Int16Array(bytes.length)
  for (let index = 0; index < bytes.length; index += 1) pcm[index] = table[bytes[index]!]!
  return pcm
}

/** Of samples in [-1, 1). */
export function encodeG711(samples: Float32Array, law: G711Law): Uint8Array {
  const encode = law === 'mu-law' ? muLawByte : aLawByte
  const bytes = new Uint8Array(samples.length)
  for (let index = 0; index < samples.length; index += 1) bytes[index] = encode(toPcm16(samples[index]!))
  return bytes
}

/** The 16-bit value that a code stands for, as in the tables of the recommendation scaled to 16 bits. */
export function muLawValue(code: number): number {
  const bits = ~code & 0xff
  const magnitude = ((((bits & 0x0f) << 3) + muLawBias) << ((bits & 0x70) >> 4)) - muLawBias
  return bits & 0x80 ? -magnitude : magnitude
}

export function aLawValue(code: number): number {
  const bits = code ^ 0x55
  const exponent = (bits & 0x70) >> 4
  const mantissa = ((bits & 0x0f) << 4) + 8
  const magnitude = exponent === 0 ? mantissa : (mantissa + 0x100) << (exponent - 1)
  return bits & 0x80 ? magnitude : -magnitude
}

export function muLawByte(pcm16: number): number {
  const magnitude = Math.min(Math.abs(pcm16), muLawClip) + muLawBias
  const exponent = 24 - Math.clz32(magnitude) // the bias makes bit 7 the lowest leading bit
  const mantissa = (magnitude >> (exponent + 3)) & 0x0f
  return ~((pcm16 < 0 ? 0x80 : 0) | (exponent << 4) | mantissa) & 0xff
}

export function aLawByte(pcm16: number): number {
  // the complement, not the absolute value: A-law has no zero, so -1 belongs to the smallest negative step
  const magnitude = Math.min(pcm16 < 0 ? ~pcm16 : pcm16, 0x7fff)
  const exponent = Math.max(0, 24 - Math.clz32(magnitude))
  const mantissa = (magnitude >> (exponent === 0 ? 4 : exponent + 3)) & 0x0f
  return ((pcm16 < 0 ? 0 : 0x80) | (exponent << 4) | mantissa) ^ 0x55
}

const fullScale = 32_768
const muLawBias = 0x84
const muLawClip = 32_635
const muLawTable = Int16Array.from({ length: 256 }, (_, code) => muLawValue(code))
const aLawTable = Int16Array.from({ length: 256 }, (_, code) => aLawValue(code))

function toPcm16(sample: number): number {
  return Math.max(-fullScale, Math.min(fullScale - 1, Math.round(sample * fullScale)))
}

import { recogniserRate } from '../../../../actors/conversation/ports.ts'
import { recordedFrameSamples } from '../../../../actors/session-recording/ports.ts'
import { BitWriter } from './bit-writer.ts'

/**
 * FLAC (RFC 9639) of two channels at `recogniserRate`, in frames that know nothing of each other: they may be made as the sound comes, stored
 * apart, and put together by whoever has all of them. Only what speech needs of it: no channel is predicted from the other, since one is silent
 * while the other speaks.
 */

const headerStart = [0xff, 0xf8] // every frame has the same length, and says its number
const numberOffset = 4
const blockCode = 0b1100 // 256 · 2⁴ samples
const rateCode = 0b0101 // 16 kHz
const twoChannels = 0b0001
const sampleCode = 0b100 // 16 bits
const sampleBits = 16
const predictors = 4
const partitionOrder = 4
const partitionSamples = recordedFrameSamples >> partitionOrder
const riceMax = 14
/** Of a predicted sample, where it is worth it: otherwise samples are written as they are. */
const verbatimBits = recordedFrameSamples * sampleBits

export function flacFrame(number: number, left: Int16Array, right: Int16Array): Uint8Array {
  const writer = new BitWriter(recordedFrameSamples)
  for (const byte of [...headerStart, (blockCode << 4) | rateCode, (twoChannels << 4) | (sampleCode << 1)])
    writer.write(byte, 8)
  for (const byte of codedNumber(number)) writer.write(byte, 8)
  writer.write(crc8(writer.bytes()), 8)
  for (const samples of [left, right]) writeChannel(writer, samples)
  const crc = crc16(writer.bytes())
  writer.write(crc >> 8, 8)
  writer.write(crc & 0xff, 8)
  return writer.bytes().slice()
}

/** The same sound at another place of the file. */
export function flacFrameAt(number: number, frame: Uint8Array): Uint8Array {
  const coded = codedNumber(number)
  const before = frame.subarray(0, numberOffset)
  const had = codedLength(frame[numberOffset]!)
  if (coded.length === had && coded.every((byte, at) => byte === frame[numberOffset + at])) return frame
  const head = Uint8Array.from([...before, ...coded])
  const sound = frame.subarray(numberOffset + had + 1, frame.length - 2)
  const whole = Buffer.concat([head, Uint8Array.of(crc8(head)), sound])
  const crc = crc16(whole)
  return Buffer.concat([whole, Uint8Array.of(crc >> 8, crc & 0xff)])
}

/** What comes before the first frame. */
export function flacHeader(frames: number): Uint8Array {
  const header = Buffer.alloc(4 + 4 + 34)
  header.write('fLaC')
  header.writeUInt32BE(0x80_00_00_22, 4) // the last block of its kind, STREAMINFO, 34 bytes
  header.writeUInt16BE(recordedFrameSamples, 8)
  header.writeUInt16BE(recordedFrameSamples, 10)
  const packed = (BigInt(recogniserRate) << 44n) | (1n << 41n) | (BigInt(sampleBits - 1) << 36n)
  header.writeBigUInt64BE(packed | BigInt(frames * recordedFrameSamples), 18)
  return header
}

function writeChannel(writer: BitWriter, samples: Int16Array): void {
  if (samples.every((sample) => sample === samples[0])) return writeConstant(writer, samples[0]!)
  const { order, residual } = predicted(samples)
  const parameters = Array.from({ length: 1 << partitionOrder }, (_, index) => riceOf(residual, index, order))
  const bits = parameters.reduce((sum, { bits: more }) => sum + more + 4, 0)
  if (bits >= verbatimBits) return writeVerbatim(writer, samples)
  writer.write((0b001000 | order) << 1, 8)
  for (let at = 0; at < order; at += 1) writer.write(samples[at]! & 0xffff, sampleBits)
  writer.write(0, 2) // parameters of four bits
  writer.write(partitionOrder, 4)
  for (const [index, { parameter }] of parameters.entries()) {
    writer.write(parameter, 4)
    const [from, to] = partition(index, order)
    for (let at = from; at < to; at += 1) {
      const folded = fold(residual[at]!)
      writer.writeUnary(folded >>> parameter)
      if (parameter > 0) writer.write(folded & ((1 << parameter) - 1), parameter)
    }
  }
}

function writeConstant(writer: BitWriter, sample: number): void {
  writer.write(0, 8)
  writer.write(sample & 0xffff, sampleBits)
}

function writeVerbatim(writer: BitWriter, samples: Int16Array): void {
  writer.write(0b000001 << 1, 8)
  for (const sample of samples) writer.write(sample & 0xffff, sampleBits)
}

/** What is left when each sample is guessed from those before it, by the guess that leaves least. */
function predicted(samples: Int16Array): { readonly order: number; readonly residual: Int32Array } {
  let residual = Int32Array.from(samples)
  let best = { order: 0, residual, sum: sumOf(residual, predictors) }
  for (let order = 1; order <= predictors; order += 1) {
    const next = new Int32Array(residual.length)
    for (let at = order; at < next.length; at += 1) next[at] = residual[at]! - residual[at - 1]!
    residual = next
    const sum = sumOf(residual, predictors)
    if (sum < best.sum) best = { order, residual, sum }
  }
  return best
}

function sumOf(residual: Int32Array, from: number): number {
  let sum = 0
  for (let at = from; at < residual.length; at += 1) sum += Math.abs(residual[at]!)
  return sum
}

/** The first has no residual where samples are written as they are. */
function partition(index: number, order: number): readonly [number, number] {
  return [Math.max(order, index * partitionSamples), (index + 1) * partitionSamples]
}

/** The length of the fixed part that makes this partition shortest, by its mean. */
function riceOf(residual: Int32Array, index: number, order: number) {
  const [from, to] = partition(index, order)
  let sum = 0
  for (let at = from; at < to; at += 1) sum += fold(residual[at]!)
  const mean = sum / (to - from)
  const parameter = Math.min(riceMax, Math.max(0, Math.floor(Math.log2(mean + 1))))
  return { parameter, bits: (to - from) * (parameter + 1) + Math.floor(sum / 2 ** parameter) }
}

/** Small numbers of either sign become small numbers. */
function fold(value: number): number {
  return value >= 0 ? value * 2 : -value * 2 - 1
}

/** As UTF-8 writes characters. */
function codedNumber(number: number): number[] {
  if (number < 0x80) return [number]
  const rest: number[] = []
  let head = number
  let room = 6
  for (; head >= 1 << room; room -= 1) {
    rest.unshift(0x80 | (head & 0x3f))
    head >>>= 6
  }
  return [((0xff << (room + 1)) & 0xff) | head, ...rest]
}

/** Its first byte begins with as many ones as it has bytes, and with a zero where it is the only one. */
function codedLength(first: number): number {
  return Math.max(1, Math.clz32(~(first << 24)))
}

function crc8(bytes: Uint8Array): number {
  let crc = 0
  for (const byte of bytes) crc = crc8Table[crc ^ byte]!
  return crc
}

function crc16(bytes: Uint8Array): number {
  let crc = 0
  for (const byte of bytes) crc = ((crc << 8) & 0xff_ff) ^ crc16Table[(crc >> 8) ^ byte]!
  return crc
}

const crc8Table = crcTable(8, 0x07)
const crc16Table = crcTable(16, 0x80_05)

function crcTable(bits: number, polynomial: number): Uint16Array {
  const top = 1 << (bits - 1)
  return Uint16Array.from({ length: 256 }, (_, byte) => {
    let crc = byte << (bits - 8)
    for (let bit = 0; bit < 8; bit += 1) crc = crc & top ? (crc << 1) ^ polynomial : crc << 1
    return crc & (2 * top - 1)
  })
}

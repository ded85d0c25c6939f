import type { BoundedBytes } from './bounded-bytes.ts'
import type { StreamInfo } from './flac-stream.ts'

/** Two frames and more of all but the widest sound: one of two channels, 24 bits and 4,096 samples has 24 KB at most. */
const tailBytes = 64 * 1024
const firstSyncByte = 0xff
const fixedBlocks = 0xf8
const varyingBlocks = 0xf9
const fixedHeaderBytes = 4

/**
 * How many samples have played at the end of the file, or null. An encoder that writes to a pipe cannot go back to note
 * that, but every frame says where it begins. Sound may look like a frame: one is believed that begins where another ends.
 */
export async function lastSample(bytes: BoundedBytes, info: StreamInfo): Promise<number | null> {
  const tail = await bytes.upTo(Math.max(0, bytes.sizeBytes - tailBytes), tailBytes)
  const ends = new Set([0])
  let last: number | null = null
  for (let at = tail.indexOf(firstSyncByte); at !== -1; at = tail.indexOf(firstSyncByte, at + 1)) {
    const frame = readFrame(tail, at, info)
    if (!frame) continue
    if (ends.has(frame.first)) last = Math.max(last ?? 0, frame.end)
    ends.add(frame.end)
  }
  return last
}

interface FlacFrame {
  readonly first: number
  readonly end: number
}

/** A sync word, codes for the size of the block and the rate, a number, what the codes leave open, and a checksum. */
function readFrame(tail: Buffer, at: number, { blockSamples }: StreamInfo): FlacFrame | undefined {
  const strategy = tail[at + 1]
  if (strategy !== fixedBlocks && strategy !== varyingBlocks) return undefined
  const sizeCode = (tail[at + 2] ?? 0) >> 4
  const number = readNumber(tail, at + fixedHeaderBytes)
  if (sizeCode === 0 || !number) return undefined
  const checksumAt = number.next + bytesOfSize(sizeCode) + bytesOfRate((tail[at + 2] ?? 0) & 0x0f)
  if (checksumAt >= tail.length || checksum(tail.subarray(at, checksumAt)) !== tail[checksumAt]) return undefined
  const first = strategy === fixedBlocks ? number.value * blockSamples : number.value
  return { first, end: first + samplesOf(sizeCode, tail, number.next) }
}

function samplesOf(sizeCode: number, tail: Buffer, at: number): number {
  if (sizeCode === 1) return 192
  if (sizeCode <= 5) return 576 << (sizeCode - 2)
  if (sizeCode === 6) return tail.readUInt8(at) + 1
  return sizeCode === 7 ? tail.readUInt16BE(at) + 1 : 256 << (sizeCode - 8)
}

function bytesOfSize(sizeCode: number): number {
  return sizeCode === 6 || sizeCode === 7 ? sizeCode - 5 : 0
}

function bytesOfRate(rateCode: number): number {
  if (rateCode === 12) return 1
  return rateCode === 13 || rateCode === 14 ? 2 : 0
}

/** Coded as UTF-8 would code a character, up to 36 bits in seven bytes. */
function readNumber(tail: Buffer, at: number): { value: number; next: number } | undefined {
  const lead = tail[at]
  if (lead === undefined) return undefined
  const ones = Math.clz32(~(lead << 24))
  if (ones === 0) return { value: lead, next: at + 1 }
  if (ones === 1 || ones === 8) return undefined
  let value = lead & (0x7f >> ones)
  for (let more = 1; more < ones; more++) {
    const byte = tail[at + more]
    if (byte === undefined || byte >> 6 !== 0b10) return undefined
    value = value * 64 + (byte & 0x3f)
  }
  return { value, next: at + ones }
}

/** CRC-8 with the polynomial x⁸ + x² + x + 1. */
function checksum(header: Buffer): number {
  let rest = 0
  for (const byte of header) {
    rest ^= byte
    for (let bit = 0; bit < 8; bit++) rest = ((rest << 1) ^ (rest & 0x80 ? 0x07 : 0)) & 0xff
  }
  return rest
}

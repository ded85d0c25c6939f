import { open } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'

import { retryable } from '../../../actors/failure.ts'
import type { FailureError } from '../../../actors/failure.ts'

/**
 * Which container a file is, by its own first bytes. Only what this list names ever reaches the decoder, under the name
 * that is written here: the decoder is never left to guess, because some formats it knows (playlists, among others)
 * are instructions to open other files.
 */
export type Container =
  | 'wav'
  | 'w64'
  | 'mp3'
  | 'aac'
  | 'ogg'
  | 'flac'
  | 'mov'
  | 'matroska'
  | 'asf'
  | 'amr'
  | 'aiff'
  | 'au'
  | 'caf'

export interface Sniffed {
  readonly container: Container
  /** What people call it. */
  readonly name: string
  /** True when the header says how long the audio is; otherwise a length is only somebody's guess. */
  readonly declaresLength: boolean
  readonly sizeBytes: number
  /** Bytes that the header promises and the file does not have. */
  readonly missingBytes: number
}

const headBytes = 64 * 1024

export async function sniffContainer(path: string): Promise<Sniffed | undefined> {
  const file = await openFile(path)
  try {
    const { size } = await file.stat()
    const whole = await readHead(file, 0)
    const tagBytes = id3Bytes(whole)
    const head = tagBytes < whole.length ? whole.subarray(tagBytes) : await readHead(file, tagBytes)
    return sniff(head, size)
  } catch (error) {
    throw unreadable(error)
  } finally {
    await file.close()
  }
}

/** Pure, on the first bytes after any ID3 tag. */
export function sniff(head: Uint8Array, sizeBytes: number): Sniffed | undefined {
  const bySignature = signatures.find(({ parts }) => parts.every(([at, text]) => has(head, at, text)))
  const container = bySignature?.container ?? mpegAudio(head)
  if (!container) return undefined
  const name = names[container]
  const declaresLength = container === 'mp3' ? hasFrameCount(head) : !guessed.has(container)
  return { container, name, declaresLength, sizeBytes, missingBytes: missingBytes(container, head, sizeBytes) }
}

const names: Record<Container, string> = {
  wav: 'a WAV file',
  w64: 'a Wave64 file',
  mp3: 'an MP3 file',
  aac: 'an AAC file',
  ogg: 'an Ogg file',
  flac: 'a FLAC file',
  mov: 'an MP4 file',
  matroska: 'a WebM or Matroska file',
  asf: 'a WMA file',
  amr: 'an AMR file',
  aiff: 'an AIFF file',
  au: 'an AU file',
  caf: 'a CAF file',
}
const guessed = new Set<Container>(['aac', 'ogg', 'amr'])

interface Signature {
  readonly container: Container
  readonly parts: readonly (readonly [at: number, text: string])[]
}

const signatures: readonly Signature[] = [
  { container: 'wav', parts: [[0, 'RIFF'], [8, 'WAVE']] }, // prettier-ignore
  { container: 'wav', parts: [[0, 'RF64'], [8, 'WAVE']] }, // prettier-ignore
  { container: 'wav', parts: [[0, 'RIFX'], [8, 'WAVE']] }, // prettier-ignore
  { container: 'w64', parts: [[0, 'riff\x2e\x91\xcf\x11']] },
  { container: 'ogg', parts: [[0, 'OggS']] },
  { container: 'flac', parts: [[0, 'fLaC']] },
  { container: 'matroska', parts: [[0, '\x1a\x45\xdf\xa3']] },
  { container: 'asf', parts: [[0, '\x30\x26\xb2\x75\x8e\x66\xcf\x11']] },
  { container: 'amr', parts: [[0, '#!AMR']] },
  { container: 'aiff', parts: [[0, 'FORM'], [8, 'AIF']] }, // prettier-ignore
  { container: 'au', parts: [[0, '.snd']] },
  { container: 'caf', parts: [[0, 'caff\x00\x01']] },
  ...['ftyp', 'moov', 'mdat', 'wide', 'free', 'skip'].map((atom): Signature => ({
    container: 'mov',
    parts: [[4, atom]],
  })),
]

/** MPEG audio has no signature: two headers in a row that agree, exactly one frame apart, are as good as one. */
function mpegAudio(head: Uint8Array): 'mp3' | 'aac' | undefined {
  for (let at = 0; at + 7 < head.length; at += 1) {
    if (head[at] !== 0xff) continue
    const adts = adtsFrameBytes(head, at)
    if (adts !== undefined && adtsFrameBytes(head, at + adts) !== undefined) return 'aac'
    const layered = layerFrameBytes(head, at)
    if (layered !== undefined && layerFrameBytes(head, at + layered) !== undefined) return 'mp3'
  }
  return undefined
}

const adtsHeaderBytes = 7

function adtsFrameBytes(head: Uint8Array, at: number): number | undefined {
  if (at + adtsHeaderBytes > head.length || head[at] !== 0xff || (head[at + 1]! & 0xf6) !== 0xf0) return undefined
  const rateIndex = (head[at + 2]! >> 2) & 0x0f
  const bytes = ((head[at + 3]! & 0x03) << 11) | (head[at + 4]! << 3) | (head[at + 5]! >> 5)
  return rateIndex < 13 && bytes > adtsHeaderBytes ? bytes : undefined
}

const kilobits = {
  v1l1: [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
  v1l2: [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
  v1l3: [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  v2l1: [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
  v2l23: [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
}
const layerRates = [44_100, 48_000, 32_000]

function layerFrameBytes(head: Uint8Array, at: number): number | undefined {
  if (at + 4 > head.length || head[at] !== 0xff || (head[at + 1]! & 0xe0) !== 0xe0) return undefined
  const version = (head[at + 1]! >> 3) & 3 // 3 is MPEG-1, 2 is MPEG-2, 0 is MPEG-2.5
  const layer = 4 - ((head[at + 1]! >> 1) & 3)
  const kilobit = bitRates(version, layer)?.[(head[at + 2]! >> 4) - 1]
  const baseRate = layerRates[(head[at + 2]! >> 2) & 3]
  if (kilobit === undefined || baseRate === undefined) return undefined
  const rate = version === 3 ? baseRate : version === 2 ? baseRate / 2 : baseRate / 4
  const padding = (head[at + 2]! >> 1) & 1
  if (layer === 1) return (Math.floor((12_000 * kilobit) / rate) + padding) * 4
  const samplesPerByte = layer === 3 && version !== 3 ? 72_000 : 144_000
  return Math.floor((samplesPerByte * kilobit) / rate) + padding
}

function bitRates(version: number, layer: number): readonly number[] | undefined {
  if (version === 1 || layer === 4) return undefined // reserved
  if (version === 3) return [kilobits.v1l1, kilobits.v1l2, kilobits.v1l3][layer - 1]
  return layer === 1 ? kilobits.v2l1 : kilobits.v2l23
}

/** An ID3v2 tag before the audio, with its header, or none. Its size is written in four times seven bits. */
function id3Bytes(head: Uint8Array): number {
  if (!has(head, 0, 'ID3') || head.length < 10) return 0
  const size = ((head[6]! & 0x7f) << 21) | ((head[7]! & 0x7f) << 14) | ((head[8]! & 0x7f) << 7) | (head[9]! & 0x7f)
  return size + 10
}

function has(head: Uint8Array, at: number, text: string): boolean {
  if (at + text.length > head.length) return false
  for (let index = 0; index < text.length; index += 1) {
    if (head[at + index] !== text.charCodeAt(index)) return false
  }
  return true
}

/** The frame count that MP3 encoders put into an otherwise empty first frame. */
function hasFrameCount(head: Uint8Array): boolean {
  const first = Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, 4096))
  return first.includes('Xing') || first.includes('Info')
}

/** Recorders that write to a pipe leave a size near the largest that fits, or none: that is no promise. */
const unknownSize = 0x7fff_0000

function missingBytes(container: Container, head: Uint8Array, sizeBytes: number): number {
  const littleEndian = has(head, 0, 'RIFF')
  if (!littleEndian && container !== 'aiff') return 0
  const promised = new DataView(head.buffer, head.byteOffset).getUint32(4, littleEndian)
  return promised === 0 || promised >= unknownSize ? 0 : Math.max(0, promised + 8 - sizeBytes)
}

async function openFile(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'r')
  } catch (error) {
    throw unreadable(error)
  }
}

async function readHead(file: FileHandle, position: number): Promise<Uint8Array> {
  const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(headBytes), position })
  return buffer.subarray(0, bytesRead)
}

function unreadable(error: unknown): FailureError {
  return retryable('storage_unavailable', 'The audio file could not be read from the local disk.', error)
}

import { open } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'

import { retryable } from '../../../actors/failure.ts'
import type { FailureError } from '../../../actors/failure.ts'
import { readAdtsFrame } from './header/adts.ts'
import { findRun } from './header/frames.ts'
import { tagBytes } from './header/id3.ts'
import { readMp3Frame } from './header/mp3.ts'

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
    const tag = tagBytes(whole)
    const head = tag < whole.length ? whole.subarray(tag) : await readHead(file, tag)
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
  const block = Buffer.from(head.buffer, head.byteOffset, head.length)
  const mp3 = findRun(block, readMp3Frame, agreeingFrames) ?? Infinity
  const aac = findRun(block, readAdtsFrame, agreeingFrames) ?? Infinity
  if (mp3 === aac) return undefined
  return aac < mp3 ? 'aac' : 'mp3'
}

const agreeingFrames = 2

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

async function readHead(file: FileHandle, position: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(headBytes), position })
  return buffer.subarray(0, bytesRead)
}

function unreadable(error: unknown): FailureError {
  return retryable('storage_unavailable', 'The audio file could not be read from the local disk.', error)
}

import { readAiff } from './aiff.ts'
import { amrMagic, amrWideMagic, readAmr, readAmrWide } from './amr.ts'
import { asfMagic, readAsf } from './asf.ts'
import { readAu } from './au.ts'
import { boundedBytes } from './bounded-bytes.ts'
import { readCaf } from './caf.ts'
import { readFlac } from './flac.ts'
import { ebmlMagic, readMatroska } from './matroska.ts'
import { isMp4, readMp4 } from './mp4.ts'
import { isTag } from './id3.ts'
import { readAfterJunk, readFramesAt, readTagged } from './mpeg.ts'
import { readOgg } from './ogg.ts'
import { otherContent } from './other-content.ts'
import { notAudio } from './verdict.ts'
import { readWav } from './wav.ts'

import type { NotAudio } from '../../../../actors/ports.ts'
import type { BoundedBytes } from './bounded-bytes.ts'
import type { Verdict } from './verdict.ts'

export const sniffBytes = 4_096

type Reader = (bytes: BoundedBytes) => Promise<Verdict>

/** By its content alone: a name and a client's word are never asked. What has a magic is asked before what has none. */
export async function readHeader(bytes: BoundedBytes): Promise<Verdict> {
  const start = await bytes.upTo(0, sniffBytes)
  if (start.length === 0) return notAudio('is empty')
  const reader = readers.find(([matches]) => matches(start))?.[1]
  if (reader) return reader(bytes)
  const frames = await readFramesAt(bytes, 0)
  if (frames) return frames
  return otherContent(start) ?? (await readAfterJunk(bytes, 0)) ?? notAudio(unknownFormat)
}

/** What a file is instead of audio when its first `sniffBytes` tell: for one that is still arriving. */
export async function otherThanAudio(start: Buffer): Promise<NotAudio | undefined> {
  if (readers.some(([matches]) => matches(start))) return undefined
  const read = (offset: number, length: number) => Promise.resolve(start.subarray(offset, offset + length))
  const frames = await readFramesAt(boundedBytes({ sizeBytes: start.length, read }), 0)
  return frames ? undefined : otherContent(start)
}

const unknownFormat =
  'is not in a format this service knows: send WAV, MP3, M4A, MP4, OGG, WebM, FLAC, AAC, AMR, WMA or AIFF'

/** Each magic has a byte that nobody types, so that a text which begins with the word “caffeine” stays a text. */
const readers: readonly (readonly [matches: (start: Buffer) => boolean, read: Reader])[] = [
  [(start) => /^(?:RIFF|RF64|BW64)[^]{4}WAVE/.test(textOf(start)), readWav],
  [(start) => /^FORM[^]{4}AIF[FC]/.test(textOf(start)), readAiff],
  [(start) => textOf(start).startsWith('.snd\0'), readAu],
  [(start) => textOf(start).startsWith('caff\0\x01'), readCaf],
  [(start) => textOf(start).startsWith('fLaC'), (bytes) => readFlac(bytes)],
  [(start) => textOf(start).startsWith(amrMagic), readAmr],
  [(start) => textOf(start).startsWith(amrWideMagic), readAmrWide],
  [(start) => start.toString('hex', 0, 16) === asfMagic, readAsf],
  [(start) => textOf(start).startsWith('OggS\0'), readOgg],
  [(start) => start.length >= 4 && start.readUInt32BE(0) === ebmlMagic, readMatroska],
  [isMp4, readMp4],
  [isTag, readTagged],
]

function textOf(start: Buffer): string {
  return start.toString('latin1', 0, 16)
}

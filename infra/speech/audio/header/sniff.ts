import { readAiff } from './aiff.ts'
import { amrMagic, amrWideMagic, readAmr, readAmrWide } from './amr.ts'
import { asfMagic, readAsf } from './asf.ts'
import { readAu } from './au.ts'
import { readCaf } from './caf.ts'
import { readFlac } from './flac.ts'
import { ebmlMagic, readMatroska } from './matroska.ts'
import { isMp4, readMp4 } from './mp4.ts'
import { readAfterJunk, readFramesAt, readTagged } from './mpeg.ts'
import { readOgg } from './ogg.ts'
import { otherContent } from './other-content.ts'
import { notAudio } from './verdict.ts'
import { readWav } from './wav.ts'

import type { BoundedBytes } from './bounded-bytes.ts'
import type { Verdict } from './verdict.ts'

const sniffBytes = 4_096

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

const unknownFormat =
  'is not in a format this service knows: send WAV, MP3, M4A, MP4, OGG, WebM, FLAC, AAC, AMR, WMA or AIFF'

const readers: readonly (readonly [matches: (start: Buffer) => boolean, read: Reader])[] = [
  [(start) => /^(?:RIFF|RF64|BW64)[^]{4}WAVE/.test(textOf(start)), readWav],
  [(start) => /^FORM[^]{4}AIF[FC]/.test(textOf(start)), readAiff],
  [(start) => textOf(start).startsWith('.snd'), readAu],
  [(start) => textOf(start).startsWith('caff'), readCaf],
  [(start) => textOf(start).startsWith('fLaC'), (bytes) => readFlac(bytes)],
  [(start) => textOf(start).startsWith(amrMagic), readAmr],
  [(start) => textOf(start).startsWith(amrWideMagic), readAmrWide],
  [(start) => start.toString('hex', 0, 16) === asfMagic, readAsf],
  [(start) => textOf(start).startsWith('OggS'), readOgg],
  [(start) => start.length >= 4 && start.readUInt32BE(0) === ebmlMagic, readMatroska],
  [isMp4, readMp4],
  [(start) => textOf(start).startsWith('ID3'), readTagged],
]

function textOf(start: Buffer): string {
  return start.toString('latin1', 0, 16)
}

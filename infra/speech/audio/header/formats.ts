import { readAdts, readAdtsFrame } from './adts.ts'
import { isAiff, readAiff } from './aiff.ts'
import { amrMagic, amrWideMagic, readAmr, readAmrWide } from './amr.ts'
import { isAsf, readAsf } from './asf.ts'
import { readAu } from './au.ts'
import { readCaf } from './caf.ts'
import { readFlac } from './flac.ts'
import { isRun } from './frames.ts'
import { isMatroska, readMatroska } from './matroska.ts'
import { notedSeconds, readMp3, readMp3Frame } from './mp3.ts'
import { isMp4, readMp4 } from './mp4.ts'
import { readOgg } from './ogg.ts'
import { isRifx, isWav, readRifx, readWav } from './wav.ts'
import { isWave64, readWave64 } from './wave64.ts'

import type { BoundedBytes } from './bounded-bytes.ts'
import type { FrameReader } from './frames.ts'
import type { HeaderVerdict } from './verdict.ts'

/** FFmpeg's names for what opens a file. */
export type Demuxer =
  | 'aac'
  | 'aiff'
  | 'amr'
  | 'asf'
  | 'au'
  | 'caf'
  | 'flac'
  | 'matroska'
  | 'mov'
  | 'mp3'
  | 'ogg'
  | 'w64'
  | 'wav'

export interface ContainerFormat {
  readonly demuxer: Demuxer
  /** What people call it. */
  readonly name: string
  /** Asked of the first bytes. A magic has a byte that nobody types: a text that begins with “caffeine” stays a text. */
  readonly begins: (start: Buffer) => boolean
  readonly read: (bytes: BoundedBytes) => Promise<HeaderVerdict>
  /** Its header says how long the audio is, where it is not said otherwise. */
  readonly declaresLength?: (bytes: BoundedBytes) => Promise<boolean>
  /** Its samples are in that order, which this demuxer does not say by itself. */
  readonly bigEndian?: true
  /** The decoder also finds it behind an ID3 tag. */
  readonly afterTag?: true
  /** Of a stream that has no magic, and may begin in the middle of a frame. */
  readonly frame?: FrameReader
}

const never = () => Promise.resolve(false)
const hasNote = async (bytes: BoundedBytes) => (await notedSeconds(bytes)) !== undefined

/**
 * One row a format, for the upload that accepts it and for the decoder that opens it. Only what is named here ever reaches
 * the decoder, under the name that is written here: the decoder is never left to guess, because some formats it knows
 * (playlists, among others) are instructions to open other files. What has a magic is asked before what has none.
 */
export const containerFormats: readonly ContainerFormat[] = [
  { demuxer: 'wav', name: 'a WAV file', begins: isWav, read: readWav },
  { demuxer: 'wav', name: 'a WAV file', begins: isRifx, read: readRifx, bigEndian: true },
  { demuxer: 'w64', name: 'a Wave64 file', begins: isWave64, read: readWave64 },
  { demuxer: 'aiff', name: 'an AIFF file', begins: isAiff, read: readAiff },
  { demuxer: 'au', name: 'an AU file', begins: magic('.snd\0'), read: readAu },
  { demuxer: 'caf', name: 'a CAF file', begins: magic('caff\0\x01'), read: readCaf },
  { demuxer: 'flac', name: 'a FLAC file', begins: magic('fLaC'), read: readFlac, afterTag: true },
  { demuxer: 'amr', name: 'an AMR file', begins: magic(amrMagic), read: readAmr, declaresLength: never },
  { demuxer: 'amr', name: 'an AMR file', begins: magic(amrWideMagic), read: readAmrWide, declaresLength: never },
  { demuxer: 'asf', name: 'a WMA file', begins: isAsf, read: readAsf },
  {
    demuxer: 'ogg',
    name: 'an Ogg file',
    begins: magic('OggS\0'),
    read: readOgg,
    declaresLength: never,
    afterTag: true,
  },
  { demuxer: 'matroska', name: 'a WebM or Matroska file', begins: isMatroska, read: readMatroska },
  { demuxer: 'mov', name: 'an MP4 file', begins: isMp4, read: readMp4 },
  {
    demuxer: 'mp3',
    name: 'an MP3 file',
    begins: frames(readMp3Frame),
    read: readMp3,
    declaresLength: hasNote,
    afterTag: true,
    frame: readMp3Frame,
  },
  {
    demuxer: 'aac',
    name: 'an AAC file',
    begins: frames(readAdtsFrame),
    read: readAdts,
    declaresLength: never,
    afterTag: true,
    frame: readAdtsFrame,
  },
]

/** For a sentence that says what to send instead. */
export const sendInstead =
  'send WAV, MP3, M4A, AAC, MP4, MOV, OGG, Opus, WebM, FLAC, AMR, 3GP, WMA, AIFF, AU, CAF or Wave64'

function magic(characters: string): ContainerFormat['begins'] {
  return (start) => start.toString('latin1', 0, characters.length) === characters
}

/** Two in a row, or any bytes that happen to begin with a sync word would be sound. */
function frames(read: FrameReader): ContainerFormat['begins'] {
  return (start) => isRun(start, 0, { read, run: 2 })
}

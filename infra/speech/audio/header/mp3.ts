import { secondsOfFrames } from './frames.ts'
import { audioFacts } from './verdict.ts'

import type { BoundedBytes } from './bounded-bytes.ts'
import type { Frame } from './frames.ts'
import type { HeaderVerdict } from './verdict.ts'

const headerBytes = 4
/** The sync word, the version, the layer and the sample rate. */
const sameInAStream = 0xfffe0c00

/**
 * Thousands of bits a second by version, layer, and index 1 to 14. Index 0, the free format, has no size to walk by and is
 * refused.
 */
const bitrates = [
  [
    [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
    [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
    [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  ],
  [
    [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
    [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
    [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  ],
]
const sampleRates = [44_100, 48_000, 32_000]
/** By the two bits of the version: 2.5, none, 2 and 1. */
const sampleRateDivisors = [4, 1, 2, 1]
const noVersion = 1

interface MpegFrame extends Frame {
  readonly samples: number
  readonly sampleRate: number
  /** Where the encoder's note stands in the first frame, if there is one: after the side information. */
  readonly noteOffset: number
}

export async function readMp3(bytes: BoundedBytes): Promise<HeaderVerdict> {
  return audioFacts('audio/mpeg', (await notedSeconds(bytes)) ?? (await secondsOfFrames(bytes, readMp3Frame)))
}

/** MPEG audio of any version and layer: a sync word of 11 bits, then indexes into tables. */
export function readMp3Frame(block: Buffer, offset: number): MpegFrame | undefined {
  if (offset + headerBytes > block.length) return undefined
  const header = block.readUInt32BE(offset)
  if (header >>> 21 !== 0x7ff) return undefined
  const versionBits = (header >>> 19) & 3
  const version = versionBits === 3 ? 1 : 2
  const layer = 4 - ((header >>> 17) & 3)
  const bitrate = bitrates[version - 1]?.[layer - 1]?.[((header >>> 12) & 15) - 1]
  const sampleRate = (sampleRates[(header >>> 10) & 3] ?? 0) / sampleRateDivisors[versionBits]!
  if (!bitrate || !(sampleRate > 0) || versionBits === noVersion) return undefined
  const padding = (header >>> 9) & 1
  const samples = samplesOf(version, layer)
  const bytesOfAudio = (samples / 8) * ((bitrate * 1000) / sampleRate)
  const sizeBytes = layer === 1 ? Math.floor(bytesOfAudio / 4 + padding) * 4 : Math.floor(bytesOfAudio) + padding
  return {
    stream: header & sameInAStream,
    sizeBytes,
    seconds: samples / sampleRate,
    samples,
    sampleRate,
    noteOffset: headerBytes + sideInformationBytes(version, ((header >>> 6) & 3) === 3),
  }
}

function samplesOf(version: 1 | 2, layer: number): number {
  if (layer === 1) return 384
  return layer === 3 && version === 2 ? 576 : 1_152
}

function sideInformationBytes(version: 1 | 2, mono: boolean): number {
  if (version === 1) return mono ? 17 : 32
  return mono ? 9 : 17
}

const xingBytes = 144
const hasFrameCount = 1
const vbriOffset = headerBytes + 32
const vbriBytes = 18

/** Encoders of variable bitrate note the number of frames in a first, silent frame. */
export async function notedSeconds(bytes: BoundedBytes): Promise<number | undefined> {
  const frame = readMp3Frame(await bytes.upTo(0, headerBytes), 0)
  if (!frame) return undefined
  const xing = await bytes.upTo(frame.noteOffset, xingBytes)
  if (/^(?:Xing|Info)$/.test(xing.toString('latin1', 0, 4))) return xingSeconds(xing, frame)
  const vbri = await bytes.upTo(vbriOffset, vbriBytes)
  if (vbri.toString('latin1', 0, 4) !== 'VBRI' || vbri.length < vbriBytes) return undefined
  return (vbri.readUInt32BE(14) * frame.samples) / frame.sampleRate || undefined
}

/** LAME and libavcodec also note how much silence their filters put before and after the audio. */
function xingSeconds(xing: Buffer, frame: MpegFrame): number | undefined {
  if (xing.length < 12 || (xing.readUInt32BE(4) & hasFrameCount) === 0) return undefined
  const samples = xing.readUInt32BE(8) * frame.samples
  if (samples === 0) return undefined
  const knowsDelays = xing.length === xingBytes && /^L(?:AME|avc|avf)/.test(xing.toString('latin1', 120, 124))
  const delays = knowsDelays ? xing.readUIntBE(141, 3) : 0
  const silence = (delays >> 12) + (delays & 0xfff)
  return (silence < samples ? samples - silence : samples) / frame.sampleRate
}

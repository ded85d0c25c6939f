import { fstatSync } from 'node:fs'

import type { DecodeRequest, Refused } from './decoder-protocol.ts'
import { decodingCalls } from './ffmpeg/decoding-calls.ts'
import type { DecodingCalls, OpeningCalls } from './ffmpeg/decoding-calls.ts'

/** Only ever loaded in the decoder's child process: FFmpeg parses hostile bytes. */

export interface Media {
  readonly ffmpeg: DecodingCalls
  readonly channels: number
  /** Zero on the file's clock, in seconds. */
  readonly startSeconds: number
  readonly declaredSeconds: number | null
}

export class MediaRefusal extends Error {
  constructor(readonly refused: Refused) {
    super(refused.reason)
  }
}

export function refuse(reason: string): never {
  throw new MediaRefusal({ code: 'unsupported_media', reason })
}

const probeBytes = 5_000_000
const analyseMicroseconds = 10_000_000
const maxStreams = 64
const maxChannels = 32
const minRate = 2_000
const maxRate = 768_000

export function openMedia(request: DecodeRequest): Media {
  const ffmpeg = decodingCalls(request.descriptor)
  const { opening } = ffmpeg
  openContainer(opening, request)
  openTrack(opening, request)
  const { media } = request
  return {
    ffmpeg,
    channels: opening.channels,
    startSeconds: opening.startSeconds ?? 0,
    declaredSeconds: media.declaresLength ? believable(declaredBy(opening), media.sizeBytes) : null,
  }
}

function openContainer(opening: OpeningCalls, { descriptor, media }: DecodeRequest): void {
  const { size: sizeBytes } = fstatSync(descriptor)
  const bounds = { sizeBytes, probeBytes, analyseMicroseconds, maxStreams }
  if (opening.openContainer(media.demuxer, bounds) !== 'opened')
    refuse(`The file starts like ${media.name}, but its header cannot be read: it is damaged or incomplete.`)
}

function openTrack(opening: OpeningCalls, { media }: DecodeRequest): void {
  const found = opening.openTrack(media.bigEndian)
  if (found === 'no audio') refuse('The file holds no audio track.')
  if (found !== 'opened') refuse(`The audio track is encoded as ${opening.codecName}, which is not supported.`)
  const { channels, sampleRate } = opening
  if (channels > maxChannels) refuse(`The audio has ${channels} channels; ${maxChannels} is the limit.`)
  if (opening.openDecoder() !== 'opened') refuse('The audio track cannot be opened: its description is damaged.')
  if (sampleRate !== 0 && !isRate(sampleRate))
    refuse(`The audio has ${sampleRate} samples a second; ${minRate} to ${maxRate} are supported.`)
}

export function isRate(rate: number): boolean {
  return rate >= minRate && rate <= maxRate
}

/** A damaged header may promise years. Half the rate of the thriftiest speech codec is where belief ends. */
const fewestBytesPerSecond = 250
const alwaysBelievedSeconds = 60

function believable(seconds: number | null, sizeBytes: number): number | null {
  return seconds !== null && seconds > alwaysBelievedSeconds && seconds * fewestBytesPerSecond > sizeBytes
    ? null
    : seconds
}

function declaredBy({ trackSeconds = 0, containerSeconds = 0 }: OpeningCalls): number | null {
  if (trackSeconds > 0) return trackSeconds
  return containerSeconds > 0 ? containerSeconds : null
}

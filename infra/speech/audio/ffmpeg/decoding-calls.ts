import { readSync } from 'node:fs'

import { loadFfmpeg } from './load.ts'
import type { Ffmpeg } from './load.ts'

/** What is asked of FFmpeg about one recording. The numbers are those of the C files beside this one. */
export interface DecodingCalls {
  readonly opening: OpeningCalls
  readonly reading: ReadingCalls
  readonly resampler: ResamplerCalls
}

/** In this order, as far as each is answered `opened`. Undefined is what the recording does not say, as everywhere here. */
export interface OpeningCalls {
  openContainer(demuxer: string, bounds: ProbeBounds): OpenOutcome
  openTrack(bigEndian: boolean): OpenOutcome
  openDecoder(): OpenOutcome
  readonly codecName: string
  readonly channels: number
  readonly sampleRate: number
  readonly startSeconds: number | undefined
  readonly trackSeconds: number | undefined
  readonly containerSeconds: number | undefined
}

/** There is one current packet and one current frame, until the next is read or received. */
interface ReadingCalls {
  readPacket(): ReadOutcome
  readonly packetAt: number | undefined
  readonly packetSeconds: number | undefined
  decodePacket(): DecodeOutcome
  /** No packet comes any more. */
  decodeRest(): void
  /** Whether there is one. */
  receiveFrame(): boolean
  readonly frameAt: number | undefined
  readonly frameSeconds: number
}

export interface ResamplerCalls {
  readonly frameRate: number
  readonly isOpen: boolean
  /** Whether the current frame is like those before it. */
  readonly fits: boolean
  open(filter: ResamplingFilter): ResamplerOutcome
  /** The current frame, a plane for each channel. */
  resample(): Float32Array[]
  /** What it still held; it is closed then. */
  rest(): Float32Array[]
}

interface ProbeBounds {
  readonly sizeBytes: number
  readonly probeBytes: number
  readonly analyseMicroseconds: number
  readonly maxStreams: number
}

interface ResamplingFilter {
  readonly rate: number
  /** All channels to one. */
  readonly mixed: boolean
  readonly taps: number
  readonly cutoff: number
  readonly kaiserBeta: number
}

const openOutcomes = ['opened', 'no memory', 'bad header', 'no audio', 'unknown codec', 'bad description'] as const
type OpenOutcome = (typeof openOutcomes)[number]
const readOutcomes = ['of the track', 'of another', 'at the end', 'broken off'] as const
type ReadOutcome = (typeof readOutcomes)[number]
const decodeOutcomes = ['taken', 'lost', 'ruined'] as const
type DecodeOutcome = (typeof decodeOutcomes)[number]
const resamplerOutcomes = ['opened', 'not sound', 'not supported'] as const
type ResamplerOutcome = (typeof resamplerOutcomes)[number]

/** For the file of that descriptor, of which nothing but this is read. An instance of its own has memory of its own. */
export function decodingCalls(descriptor: number): DecodingCalls {
  const ffmpeg = loadFfmpeg({ read: (into, position) => bytesOf(descriptor, into, position) })
  return { opening: openingCalls(ffmpeg), reading: readingCalls(ffmpeg), resampler: resamplerCalls(ffmpeg) }
}

function openingCalls({ call, place, wordsAt }: Ffmpeg): OpeningCalls {
  return {
    openContainer: (demuxer, { sizeBytes, probeBytes, analyseMicroseconds, maxStreams }) =>
      outcome(
        openOutcomes,
        call('open_recording', place(demuxer), sizeBytes, probeBytes, analyseMicroseconds, maxStreams),
      ),
    openTrack: (bigEndian) => outcome(openOutcomes, call('open_track', Number(bigEndian))),
    openDecoder: () => outcome(openOutcomes, call('open_decoder')),
    get codecName() {
      return wordsAt(call('codec_name'))
    },
    get channels() {
      return call('channel_count')
    },
    get sampleRate() {
      return call('sample_rate')
    },
    get startSeconds() {
      return said(call('start_seconds'))
    },
    get trackSeconds() {
      return said(call('track_seconds'))
    },
    get containerSeconds() {
      return said(call('container_seconds'))
    },
  }
}

function readingCalls({ call }: Ffmpeg): ReadingCalls {
  return {
    readPacket: () => outcome(readOutcomes, call('read_packet')),
    get packetAt() {
      return said(call('packet_at'))
    },
    get packetSeconds() {
      return said(call('packet_seconds'))
    },
    decodePacket: () => outcome(decodeOutcomes, call('decode_packet')),
    decodeRest: () => void call('decode_rest'),
    receiveFrame: () => call('receive_frame') === 1,
    get frameAt() {
      return said(call('frame_at'))
    },
    get frameSeconds() {
      return call('frame_seconds')
    },
  }
}

function resamplerCalls({ call, floatsAt }: Ffmpeg): ResamplerCalls {
  function planes(count: number): Float32Array[] {
    return Array.from({ length: call('plane_count') }, (_, index) => floatsAt(call('plane', index), count).slice())
  }
  return {
    get frameRate() {
      return call('frame_rate')
    },
    get isOpen() {
      return call('has_resampler') === 1
    },
    get fits() {
      return call('resampler_fits') === 1
    },
    open: ({ rate, mixed, taps, cutoff, kaiserBeta }) =>
      outcome(resamplerOutcomes, call('open_resampler', rate, Number(mixed), taps, cutoff, kaiserBeta)),
    resample: () => planes(call('resample_frame')),
    rest: () => planes(call('resample_rest')),
  }
}

function bytesOf(descriptor: number, into: Uint8Array, position: number): number {
  try {
    return readSync(descriptor, into, 0, into.length, position)
  } catch {
    return -1 // it breaks off there
  }
}

function outcome<Name extends string>(names: readonly Name[], number: number): Name {
  const name = names[number]
  if (name === undefined) throw new Error(`this FFmpeg answers ${number}, which means nothing`)
  return name
}

function said(seconds: number): number | undefined {
  return Number.isNaN(seconds) ? undefined : seconds
}

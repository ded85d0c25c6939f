import type { RecordingPart, TranscribeSettings } from '../../../actors/run/state.ts'
import type { Container } from './container.ts'

/**
 * What the decoder's parent and child say to each other. Requests go down as lines of JSON; messages come back with JSON, or
 * with the samples of a block, channel after channel, as floats.
 */
export interface DecodeRequest {
  /** Of the file, which it was started with: it opens none. */
  readonly descriptor: number
  readonly media: Container
  readonly channels: ChannelMode
  readonly maxSeconds: number
  /** Absent: all of it. */
  readonly part?: RecordingPart
  /** No recording of so many bytes has more. */
  readonly plausibleSeconds: number
}

/** `auto`: two stay apart, for whoever looks whether they are the sides of a call, and any other number is mixed. */
export type ChannelMode = TranscribeSettings['channels']

/** `skipped`: it is on its way to the part that is wanted, and has nothing to give yet. */
export const decoderMessageKind = { ready: 1, opened: 2, block: 3, finished: 4, refused: 5, skipped: 6 } as const

export interface Opened {
  readonly channels: number
  readonly declaredSeconds: number | null
}

export interface Warning {
  readonly code: 'truncated' | 'damaged' | 'clock' | 'part'
  readonly message: string
}

export interface DecodingFinished {
  readonly warnings: readonly Warning[]
}

export interface Refused {
  readonly code: 'unsupported_media' | 'too_large' | 'invalid_request'
  readonly reason: string
}

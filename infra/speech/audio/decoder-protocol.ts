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
  /** No recording of so many bytes has more. */
  readonly plausibleSeconds: number
}

export type ChannelMode = 'mix' | 'separate'

export const decoderMessageKind = { ready: 1, opened: 2, block: 3, finished: 4, refused: 5 } as const

export interface Opened {
  readonly channels: number
  readonly declaredSeconds: number | null
}

export interface Warning {
  readonly code: 'truncated' | 'damaged' | 'clock'
  readonly message: string
}

export interface DecodingFinished {
  readonly warnings: readonly Warning[]
}

export interface Refused {
  readonly code: 'unsupported_media' | 'too_large'
  readonly reason: string
}

import type { Container } from './container.ts'

/**
 * What the decoder's parent and child say to each other. Requests go down as lines of JSON; messages come back as one byte
 * of kind, four bytes of length and the payload: JSON, or the samples of a block, channel after channel, as floats.
 */
export interface DecodeRequest {
  readonly path: string
  readonly media: Container
  readonly channels: ChannelMode
  readonly maxSeconds: number
}

export type ChannelMode = 'mix' | 'separate'

export const decodedRate = 16_000

export const decoderMessageKind = { ready: 1, opened: 2, block: 3, finished: 4, refused: 5 } as const

export interface DecoderMessage {
  readonly kind: number
  readonly payload: Buffer
}

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

const headerBytes = 5
/** A block is half a second at most; nothing that is longer than this was meant to be a message. */
const maxPayloadBytes = 4 * 1024 * 1024

export function encodeMessage(kind: number, payload: Uint8Array): Buffer {
  const header = Buffer.alloc(headerBytes)
  header.writeUInt8(kind, 0)
  header.writeUInt32LE(payload.length, 1)
  return Buffer.concat([header, payload])
}

/**
 * Messages out of a byte stream that is cut anywhere. Pulling one at a time is what holds the sender back. A payload has
 * memory of its own and begins at its first byte, so that samples can be used where they lie.
 */
export async function* readMessages(stream: AsyncIterable<Buffer>): AsyncGenerator<DecoderMessage, void> {
  const header = Buffer.alloc(headerBytes)
  let payload: Buffer | undefined
  let filled = 0
  for await (const piece of stream)
    for (let at = 0; at < piece.length;) {
      const copied = piece.copy(payload ?? header, filled, at)
      at += copied
      filled += copied
      if (!payload && filled === headerBytes) {
        payload = Buffer.allocUnsafeSlow(lengthIn(header))
        filled = 0
      }
      if (filled !== payload?.length) continue
      yield { kind: header.readUInt8(0), payload }
      payload = undefined
      filled = 0
    }
}

function lengthIn(header: Buffer): number {
  const length = header.readUInt32LE(1)
  if (length > maxPayloadBytes) throw new Error(`a message of ${length} bytes is not one of the decoder's`)
  return length
}

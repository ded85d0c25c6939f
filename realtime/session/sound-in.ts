import { decodeG711 } from '../../infra/speech/audio/signal/g711.ts'
import type { WireAudioFormat } from './settings.ts'

/** Sound as it came: it is brought to another rate where it is wanted at one. */
export interface InputAudio {
  readonly pcm: Int16Array
  readonly rate: number
}

/** Brings what a client sends to samples, without a trace of how it was cut into events. */
export interface InputDecoder {
  /** Nothing when it is not base64. What it resolves to is good until the next call, of whichever decoder. */
  decode(base64: string): Int16Array | undefined
}

/**
 * Where events are decoded, one after the other: fifty a second in every session, each with memory of its own, keep the
 * garbage collector busier than anything else. Sound that is longer than two seconds gets its own.
 */
const desk = Buffer.alloc(96 * 1_024)

export const rateOf = (format: WireAudioFormat): number => (format === 'pcm16' ? 24_000 : 8_000)

export function createInputDecoder(format: WireAudioFormat): InputDecoder {
  let half: number | undefined // the first byte of a sample whose second is in the next event

  return {
    decode(base64) {
      const from = half === undefined ? 0 : 1
      const length = from + bytesIn(base64)
      const bytes = length <= desk.length ? desk : Buffer.alloc(length)
      // Node skips what it does not know, so a wrong character shows in the length
      if (bytes.write(base64, from, 'base64') !== length - from) return undefined
      if (format !== 'pcm16') return decodeG711(bytes.subarray(0, length), format === 'g711_ulaw' ? 'mu-law' : 'a-law')
      if (half !== undefined) bytes[0] = half
      half = length % 2 === 1 ? bytes[length - 1] : undefined
      // the wire is little-endian, as are the machines this runs on
      return new Int16Array(bytes.buffer, bytes.byteOffset, length >> 1)
    },
  }
}

/** A whole clip, such as the audio in an item. */
export function decodeClip(base64: string, format: WireAudioFormat): InputAudio | undefined {
  const pcm = createInputDecoder(format).decode(base64)
  return pcm && { pcm: pcm.slice(), rate: rateOf(format) }
}

export function secondsIn(bytes: number, format: WireAudioFormat): number {
  return bytes / (rateOf(format) * (format === 'pcm16' ? 2 : 1))
}

/** From the length alone, before anything is decoded. */
export function bytesIn(base64: string): number {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0
  return Math.floor(((base64.length - padding) * 3) / 4)
}

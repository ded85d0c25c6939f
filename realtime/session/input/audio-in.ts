import { decodeG711 } from '../../../infra/speech/audio/signal/g711.ts'
import { bytesIn, rateOf } from '../audio-clip.ts'
import type { AudioClip } from '../audio-clip.ts'
import type { WireAudioFormat } from '../settings/settings.ts'

/** Brings what a client sends to samples, without a trace of how it was cut into events. */
export interface InputDecoder {
  /** Nothing when it is not base64. What it resolves to is good until the next call, of whichever decoder. */
  decode(base64: string): Int16Array | undefined
}

/**
 * Where events are decoded, one after the other: fifty a second in every session, each with memory of its own, keep the
 * garbage collector busier than anything else. Audio that is longer than two seconds gets its own.
 */
const desk = Buffer.alloc(96 * 1_024)

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
export function decodeClip(base64: string, format: WireAudioFormat): AudioClip | undefined {
  const pcm = createInputDecoder(format).decode(base64)
  return pcm && { pcm: pcm.slice(), rate: rateOf(format) }
}

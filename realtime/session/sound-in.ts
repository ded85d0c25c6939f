import { heardRate } from '../../actors/conversation/ports.ts'
import { decodeG711 } from '../../actors/sound/g711.ts'
import { createResampler, enoughForSpeech } from '../../actors/sound/resample.ts'
import type { Resampler } from '../../actors/sound/resample.ts'
import type { SoundFormat } from './settings.ts'

/** Brings what a client sends to 16 kHz, without a trace of how it was cut into events. */
export interface SoundDecoder {
  /** Nothing when it is not base64. */
  decode(base64: string): Float32Array | undefined
  /** What still waits for more sound. The next sound is as the first. */
  flush(): Float32Array
}

export const rateOf = (format: SoundFormat): number => (format === 'pcm16' ? 24_000 : 8_000)

export function createSoundDecoder(format: SoundFormat): SoundDecoder {
  let resampler: Resampler | undefined
  let half: number | undefined // the first byte of a sample whose second is in the next event

  return {
    decode(base64) {
      const bytes = Buffer.from(base64, 'base64')
      // Node skips what it does not know, so a wrong character shows in the length
      if (bytes.length !== bytesIn(base64)) return undefined
      resampler ??= createResampler(rateOf(format), heardRate, enoughForSpeech)
      if (format !== 'pcm16') return resampler.push(decodeG711(bytes, format === 'g711_ulaw' ? 'mu-law' : 'a-law'))
      const whole = half === undefined ? bytes : Buffer.concat([Buffer.of(half), bytes])
      half = whole.length % 2 === 1 ? whole[whole.length - 1] : undefined
      return resampler.push(samplesIn(whole))
    },
    flush() {
      half = undefined
      return resampler?.flush() ?? new Float32Array(0)
    },
  }
}

/** A whole clip, such as the sound in an item. */
export function decodeClip(base64: string, format: SoundFormat): Float32Array | undefined {
  const decoder = createSoundDecoder(format)
  const body = decoder.decode(base64)
  if (!body) return undefined
  const tail = decoder.flush()
  const whole = new Float32Array(body.length + tail.length)
  whole.set(body)
  whole.set(tail, body.length)
  return whole
}

export function secondsIn(bytes: number, format: SoundFormat): number {
  return bytes / (rateOf(format) * (format === 'pcm16' ? 2 : 1))
}

/** From the length alone, before anything is decoded. */
export function bytesIn(base64: string): number {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0
  return Math.floor(((base64.length - padding) * 3) / 4)
}

export function toFloat(pcm: Int16Array): Float32Array {
  const samples = new Float32Array(pcm.length)
  for (let index = 0; index < pcm.length; index += 1) samples[index] = pcm[index]! / 32_768
  return samples
}

/** A view where the memory is aligned for it; the wire is little-endian, as are the machines this runs on. */
function samplesIn(bytes: Buffer): Float32Array {
  const even = bytes.byteOffset % 2 === 0 ? bytes : Buffer.from(Uint8Array.from(bytes).buffer)
  return toFloat(new Int16Array(even.buffer, even.byteOffset, even.length >> 1))
}

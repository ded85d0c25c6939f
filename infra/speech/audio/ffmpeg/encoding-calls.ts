import { loadFfmpeg } from './load.ts'

/** One encoding: 16-bit samples of one channel go in, the bytes of a file come out as they are made. */
export interface EncodingCalls {
  /** How many samples `encode` takes; the last time it may be fewer, and only then. */
  readonly frameSamples: number
  encode(samples: Int16Array): void
  finish(): void
}

export interface EncodingRecipe {
  readonly encoder: string
  readonly container: string
  readonly rate: number
  /** Zero for one that loses nothing. */
  readonly bitRate: number
}

export function encodingCalls(recipe: EncodingRecipe, write: (bytes: Uint8Array) => void): EncodingCalls {
  const ffmpeg = loadFfmpeg({ write })
  const { encoder, container, rate, bitRate } = recipe
  done('open', ffmpeg.call('open_encoding', ffmpeg.place(encoder), ffmpeg.place(container), rate, bitRate))
  const frameSamples = ffmpeg.call('samples_a_frame')
  const place = ffmpeg.placeBytes(new Uint8Array(frameSamples * Int16Array.BYTES_PER_ELEMENT))
  return {
    frameSamples,
    encode(samples) {
      const { buffer, byteOffset, byteLength } = samples
      ffmpeg.bytesAt(place, byteLength).set(new Uint8Array(buffer, byteOffset, byteLength))
      done('encode', ffmpeg.call('encode', place, samples.length))
    },
    finish: () => done('finish', ffmpeg.call('finish_encoding')),
  }
}

function done(what: string, outcome: number): void {
  if (outcome < 0) throw new Error(`FFmpeg could not ${what}: ${outcome}`)
}

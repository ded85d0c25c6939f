import { recogniserRate } from '../../../actors/conversation/ports.ts'
import { toFloat } from '../../../infra/speech/audio/signal/pcm.ts'
import { createResampler } from '../../../infra/speech/audio/signal/resample.ts'
import { enoughForSpeech } from '../../../infra/speech/audio/signal/resampling-filter.ts'
import type { AudioClip } from '../audio-clip.ts'

/** What the event loop is held up for at most: two seconds of audio take some milliseconds. */
const secondsAtOnce = 2

/** A turn's audio as the recognisers want it, also while it is still coming. */
export class TurnReader {
  readonly #rate: number
  readonly #resampler: ReturnType<typeof createResampler>
  readonly #next: () => Int16Array
  /** Samples as they came. */
  #taken = 0
  #whole: Int16Array | undefined

  /** `next` gives what came since its last call; it is not asked any more once the turn has ended. */
  constructor(rate: number, next: () => Int16Array) {
    this.#rate = rate
    this.#resampler = createResampler(rate, recogniserRate, enoughForSpeech)
    this.#next = next
  }

  end({ pcm }: AudioClip): void {
    this.#whole = pcm
  }

  /** What came since the last call. */
  async read(): Promise<Float32Array> {
    const whole = this.#whole
    const pcm = whole ? whole.subarray(this.#taken) : this.#next()
    this.#taken += pcm.length
    const pieces: Float32Array[] = []
    for (let at = 0; at < pcm.length; at += secondsAtOnce * this.#rate) {
      if (at > 0) await new Promise((resolve) => setImmediate(resolve))
      pieces.push(this.#resampler.push(toFloat(pcm.subarray(at, at + secondsAtOnce * this.#rate))))
    }
    if (whole) pieces.push(this.#resampler.flush())
    return joined(pieces)
  }
}

/** Of a turn that is over. */
export function readWhole(audio: AudioClip): Promise<Float32Array> {
  const reader = new TurnReader(audio.rate, () => audio.pcm)
  reader.end(audio)
  return reader.read()
}

function joined(pieces: readonly Float32Array[]): Float32Array {
  const whole = new Float32Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}

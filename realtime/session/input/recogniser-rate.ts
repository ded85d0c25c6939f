import { heardRate } from '../../../actors/conversation/ports.ts'
import { toFloat } from '../../../infra/speech/audio/signal/pcm.ts'
import { createResampler } from '../../../infra/speech/audio/signal/resample.ts'
import { enoughForSpeech } from '../../../infra/speech/audio/signal/resampling-filter.ts'
import type { AudioClip } from '../audio-clip.ts'

/** What the event loop is held up for at most: two seconds of audio take some milliseconds. */
const secondsAtOnce = 2

/** Audio as the recognisers want it. */
export async function atRecogniserRate({ pcm, rate }: AudioClip): Promise<Float32Array> {
  const resampler = createResampler(rate, heardRate, enoughForSpeech)
  const pieces: Float32Array[] = []
  for (let at = 0; at < pcm.length; at += secondsAtOnce * rate) {
    if (at > 0) await new Promise((resolve) => setImmediate(resolve))
    pieces.push(resampler.push(toFloat(pcm.subarray(at, at + secondsAtOnce * rate))))
  }
  pieces.push(resampler.flush())
  const whole = new Float32Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}

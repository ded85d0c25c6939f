import { checkRate, convolve, filterBetween } from './resampling-filter.ts'
import type { Fineness } from './resampling-filter.ts'

/** Resamples a stretch of a longer sound where it is wanted: what nobody looks at costs nothing. */
export interface WindowResampler {
  /** Samples on either side of the stretch that the filter looks at. */
  readonly margin: number
  /** Fills `output`, whose first sample lies at `margin` in the window. */
  resample(window: Int16Array, output: Float32Array): void
}

const fullScale = 32_768

export function windowResampler(from: number, to: number, fineness: Fineness): WindowResampler {
  checkRate(from)
  checkRate(to)
  if (from === to) return plain
  const { taps, phases, step, half } = filterBetween(from, to, fineness)
  let doubles = new Float64Array(0)
  return {
    margin: half,
    resample(window, output) {
      if (doubles.length < window.length) doubles = new Float64Array(window.length)
      for (let index = 0; index < window.length; index += 1) doubles[index] = window[index]! / fullScale
      let phase = 0
      let start = 1 // of the taps: the sample itself is the last of their first half
      for (let index = 0; index < output.length; index += 1) {
        output[index] = convolve(doubles, start, taps[phase]!)
        phase += step
        while (phase >= phases) {
          phase -= phases
          start += 1
        }
      }
    },
  }
}

const plain: WindowResampler = {
  margin: 0,
  resample(window, output) {
    for (let index = 0; index < output.length; index += 1) output[index] = window[index]! / fullScale
  },
}

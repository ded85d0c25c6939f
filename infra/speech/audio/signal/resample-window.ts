import { checkRate, filterBetween } from './resampling-filter.ts'
import type { Fineness } from './resampling-filter.ts'

/** Resamples a stretch of a longer sound where it is wanted: what nobody looks at costs nothing. */
export interface WindowResampler {
  /** Samples on either side of the stretch that the filter looks at. */
  readonly margin: number
  /** Fills `output`, whose first sample lies at `margin` in the window. */
  resample(window: Int16Array, output: Float32Array): void
}

const fullScale = 32_768
/** Of the filter at a time: as many as a processor holds beside the sums, for all outputs that they are for. */
const blockTaps = 8

export function windowResampler(from: number, to: number, fineness: Fineness): WindowResampler {
  checkRate(from)
  checkRate(to)
  if (from === to) return plain
  const { taps, phases, step, half } = filterBetween(from, to, fineness)
  const rows = taps.map(inWholeBlocks)
  let doubles = new Float64Array(0)
  let sums = new Float64Array(0)
  return {
    margin: half,
    resample(window, output) {
      // the taps that fill a last block look past the window, and are zero
      const length = window.length + blockTaps
      if (doubles.length < length) doubles = new Float64Array(length)
      for (let index = 0; index < window.length; index += 1) doubles[index] = window[index]! / fullScale
      if (sums.length === output.length) sums.fill(0)
      else sums = new Float64Array(output.length)
      // every `phases` outputs lie alike between two samples, `step` samples further on
      for (let first = 0; first < phases; first += 1) {
        const row = rows[(first * step) % phases]!
        const start = 1 + Math.floor((first * step) / phases) // of the taps: the sample itself is the last of their first half
        for (let block = 0; block < row.length; block += blockTaps)
          addBlock(doubles, row.subarray(block, block + blockTaps), {
            sums,
            first,
            every: phases,
            start: start + block,
            step,
          })
      }
      output.set(sums)
    },
  }
}

interface Outputs {
  readonly sums: Float64Array
  readonly first: number
  readonly every: number
  /** Where the input for the first of them begins, and how much further on each next one's does. */
  readonly start: number
  readonly step: number
}

/** Taps in variables are not fetched again for each output, nor is it checked each time that they are there. */
function addBlock(input: Float64Array, taps: Float64Array, { sums, first, every, start, step }: Outputs): void {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = taps
  for (let index = first, at = start; index < sums.length; index += every, at += step) {
    const before = input[at]! * a + input[at + 1]! * b + (input[at + 2]! * c + input[at + 3]! * d)
    const after = input[at + 4]! * e + input[at + 5]! * f + (input[at + 6]! * g + input[at + 7]! * h)
    sums[index]! += before + after
  }
}

function inWholeBlocks(row: Float64Array): Float64Array {
  const whole = new Float64Array(Math.ceil(row.length / blockTaps) * blockTaps)
  whole.set(row)
  return whole
}

const plain: WindowResampler = {
  margin: 0,
  resample(window, output) {
    for (let index = 0; index < output.length; index += 1) output[index] = window[index]! / fullScale
  },
}

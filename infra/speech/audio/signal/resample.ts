import { checkRate, convolve, filterBetween, fine } from './resampling-filter.ts'
import type { Filter } from './resampling-filter.ts'

/**
 * A streaming polyphase resampler with a Kaiser-windowed sinc. The output does not depend on how the input was cut into
 * blocks, sample for sample, so chunk edges leave no trace. Ripple and alias attenuation are measured in the tests.
 */
interface Resampler {
  /** What can be computed from the input so far; the last few milliseconds wait for what follows. */
  push(samples: Float32Array): Float32Array
  /** The rest, as if silence followed. The resampler is as new afterwards. */
  flush(): Float32Array
}

/** Input is taken in pieces of this size, so that a long one does not leave a large buffer behind. */
const pieceSamples = 4_096

export function createResampler(from: number, to: number, fineness = fine): Resampler {
  checkRate(from)
  checkRate(to)
  if (from === to) return passThrough
  const filter = filterBetween(from, to, fineness)
  const { phases, step, half } = filter
  let line = newLine(filter)
  let missing = 0 // output samples that the input so far has earned and that are not out yet, in 1/phases

  function takeAll(samples: Float32Array, most: number): Float32Array {
    const output = new Float32Array(Math.min(most, readyAfter(line, samples.length)))
    let written = 0
    for (let at = 0; at < samples.length; at += pieceSamples)
      written = take(line, samples.subarray(at, at + pieceSamples), { output, at: written })
    missing -= written * step
    return output
  }

  return {
    push(samples) {
      missing += samples.length * phases
      return takeAll(samples, Number.POSITIVE_INFINITY)
    },
    flush() {
      const owed = Math.ceil(missing / step)
      const output = takeAll(new Float32Array(half + Math.ceil((owed * step) / phases) + 1), owed)
      line = newLine(filter)
      missing = 0
      return output
    },
  }
}

/** The input that the filter still looks at, and where on it the next output sample lies. */
interface Line {
  readonly filter: Filter
  /** In use up to `filled`. */
  pending: Float64Array<ArrayBuffer>
  filled: number
  /** The place of the next output sample, rounded down, and the rest of it in 1/phases. */
  centre: number
  phase: number
}

/** It begins with the silence before the first sample. */
function newLine(filter: Filter): Line {
  const { half } = filter
  return { filter, pending: new Float64Array(2 * half), filled: half - 1, centre: half - 1, phase: 0 }
}

/** How many output samples can be computed once `samples` more are there. */
function readyAfter({ filter, filled, centre, phase }: Line, samples: number): number {
  return Math.max(0, Math.ceil(((filled + samples - filter.half - centre) * filter.phases - phase) / filter.step))
}

/** Fills `output` from `at` on with what `piece` makes ready; returns where it stopped. */
function take(line: Line, piece: Float32Array, into: { output: Float32Array; at: number }): number {
  const { taps, phases, step, half } = line.filter
  const { output, at } = into
  const end = Math.min(output.length, at + readyAfter(line, piece.length))
  append(line, piece)
  const { pending } = line
  let { centre, phase } = line
  for (let index = at; index < end; index += 1) {
    output[index] = convolve(pending, centre - half + 1, taps[phase]!)
    phase += step
    while (phase >= phases) {
      phase -= phases
      centre += 1
    }
  }
  const keepFrom = Math.min(centre - half + 1, line.filled)
  pending.copyWithin(0, keepFrom, line.filled)
  line.filled -= keepFrom
  line.centre = centre - keepFrom
  line.phase = phase
  return end
}

function append(line: Line, piece: Float32Array): void {
  const filled = line.filled + piece.length
  if (filled > line.pending.length) {
    const larger = new Float64Array(filled)
    larger.set(line.pending)
    line.pending = larger
  }
  line.pending.set(piece, line.filled)
  line.filled = filled
}

/** A whole clip at once. */
export function resample(samples: Float32Array, from: number, to: number): Float32Array {
  return resampleBy(createResampler(from, to), samples)
}

/** The same by one that is kept; it is as new afterwards. */
export function resampleBy(resampler: Resampler, samples: Float32Array): Float32Array {
  const body = resampler.push(samples)
  const tail = resampler.flush()
  const whole = new Float32Array(body.length + tail.length)
  whole.set(body)
  whole.set(tail, body.length)
  return whole
}

const nothing = new Float32Array(0)
const passThrough: Resampler = { push: (samples) => samples, flush: () => nothing }

/**
 * A streaming polyphase resampler with a Kaiser-windowed sinc. The output does not depend on how the input was cut into
 * blocks, sample for sample, so chunk edges leave no trace. Ripple and alias attenuation are measured in the tests.
 */
export interface Resampler {
  /** What can be computed from the input so far; the last few milliseconds wait for what follows. */
  push(samples: Float32Array): Float32Array
  /** The rest, as if silence followed. The resampler is as new afterwards. */
  flush(): Float32Array
}

/** Flat up to this share of the lower Nyquist frequency, silent from the Nyquist frequency on. */
const passEdge = 0.9
const stopAttenuationDb = 84
const minRate = 1_000
const maxRate = 768_000

export function createResampler(from: number, to: number): Resampler {
  checkRate(from)
  checkRate(to)
  if (from === to) return passThrough
  const filter = filterBetween(from, to)
  const { phases, step, half } = filter
  let pending = new Float64Array(half - 1) // silence before the first sample
  let phase = 0
  let centre = half - 1 // where in `pending` the next output sample lies, rounded down
  let missing = 0 // output samples that the input so far has earned and that are not out yet, in 1/phases

  function drain(input: Float64Array, limit: number): Float32Array {
    const available = Math.max(0, Math.ceil(((input.length - half - centre) * phases - phase) / step))
    const output = new Float32Array(Math.min(available, limit))
    for (let index = 0; index < output.length; index += 1) {
      output[index] = convolve(input, centre - half + 1, filter.taps[phase]!)
      phase += step
      centre += Math.floor(phase / phases)
      phase %= phases
    }
    missing -= output.length * step
    const keepFrom = Math.min(centre - half + 1, input.length)
    pending = input.slice(keepFrom)
    centre -= keepFrom
    return output
  }

  return {
    push(samples) {
      missing += samples.length * phases
      return drain(widened(pending, samples), Number.POSITIVE_INFINITY)
    },
    flush() {
      const owed = Math.ceil(missing / step)
      const tail = new Float32Array(half + Math.ceil((owed * step) / phases) + 1)
      const output = drain(widened(pending, tail), owed)
      pending = new Float64Array(half - 1)
      phase = 0
      centre = half - 1
      missing = 0
      return output
    },
  }
}

/** A whole clip at once. */
export function resample(samples: Float32Array, from: number, to: number): Float32Array {
  const resampler = createResampler(from, to)
  const body = resampler.push(samples)
  const tail = resampler.flush()
  const whole = new Float32Array(body.length + tail.length)
  whole.set(body)
  whole.set(tail, body.length)
  return whole
}

const nothing = new Float32Array(0)
const passThrough: Resampler = { push: (samples) => samples, flush: () => nothing }

interface Filter {
  /** One row of `2 * half` taps, a multiple of four, for each position of an output sample between two input samples. */
  readonly taps: readonly Float64Array[]
  readonly phases: number
  /** How far one output sample moves on, in 1/phases of an input sample. */
  readonly step: number
  readonly half: number
}

/** Few pairs of rates are in use at a time, and a filter takes milliseconds to compute. */
const keptFilters = 16
const filters = new Map<string, Filter>()

function filterBetween(from: number, to: number): Filter {
  const name = `${from}:${to}`
  const known = filters.get(name)
  if (known) return known
  const filter = designFilter(from, to)
  if (filters.size >= keptFilters) filters.clear()
  filters.set(name, filter)
  return filter
}

function designFilter(from: number, to: number): Filter {
  const divisor = greatestCommonDivisor(from, to)
  const phases = to / divisor
  const step = from / divisor
  const nyquist = Math.min(from, to) / 2
  const transition = (2 * Math.PI * nyquist * (1 - passEdge)) / from
  // Kaiser's own estimates of the length and the shape for an attenuation and a transition width
  const half = 2 * Math.ceil((stopAttenuationDb - 7.95) / (2.285 * transition) / 4)
  const beta = 0.1102 * (stopAttenuationDb - 8.7)
  const cutoff = (nyquist * (1 + passEdge)) / from // both edges around the middle, in cycles a sample times two

  const taps = Array.from({ length: phases }, (_, phase) => {
    const row = new Float64Array(2 * half)
    for (let index = 0; index < row.length; index += 1) {
      const distance = index - (half - 1) - phase / phases
      row[index] = cutoff * sinc(cutoff * distance) * kaiser(distance / half, beta)
    }
    const gain = row.reduce((sum, tap) => sum + tap, 0)
    return row.map((tap) => tap / gain) // every phase has the same gain, or a constant would ripple
  })
  return { taps, phases, step, half }
}

/** Doubles all through and four sums side by side: converting each sample again and again costs a third of the time. */
function convolve(input: Float64Array, start: number, taps: Float64Array): number {
  const length = taps.length
  let first = 0
  let second = 0
  let third = 0
  let fourth = 0
  for (let index = 0; index < length; index += 4) {
    const at = start + index
    first += input[at]! * taps[index]!
    second += input[at + 1]! * taps[index + 1]!
    third += input[at + 2]! * taps[index + 2]!
    fourth += input[at + 3]! * taps[index + 3]!
  }
  return first + second + third + fourth
}

function sinc(x: number): number {
  return x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x)
}

function kaiser(x: number, beta: number): number {
  return Math.abs(x) > 1 ? 0 : besselI0(beta * Math.sqrt(1 - x * x)) / besselI0(beta)
}

function besselI0(x: number): number {
  let term = 1
  let sum = 1
  for (let k = 1; term > sum * 1e-12; k += 1) {
    term *= (x / (2 * k)) ** 2
    sum += term
  }
  return sum
}

function widened(kept: Float64Array, fresh: Float32Array): Float64Array {
  const whole = new Float64Array(kept.length + fresh.length)
  whole.set(kept)
  whole.set(fresh, kept.length)
  return whole
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b)
}

function checkRate(rate: number): void {
  if (Number.isInteger(rate) && rate >= minRate && rate <= maxRate) return
  throw new RangeError(`a sample rate is a whole number from ${minRate} to ${maxRate}, not ${rate}`)
}

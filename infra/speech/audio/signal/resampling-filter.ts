/** How well: the passband is flat, and what would come back as another frequency is gone. */
export interface Fineness {
  /** Flat up to this share of the lower Nyquist frequency, silent from the Nyquist frequency on. */
  readonly passEdge: number
  readonly stopAttenuationDb: number
}

export const fine: Fineness = { passEdge: 0.9, stopAttenuationDb: 84 }
/** For speech that a machine listens to, in many sessions at once: a quarter of the work. */
export const enoughForSpeech: Fineness = { passEdge: 0.8, stopAttenuationDb: 50 }
/** For telling speech from silence, most of which lies below 5 kHz: a third of that again. */
export const enoughForDetection: Fineness = { passEdge: 0.6, stopAttenuationDb: 35 }

const minRate = 1_000
const maxRate = 768_000

/** The filter between two rates, a Kaiser-windowed sinc. */
export interface Filter {
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

export function filterBetween(from: number, to: number, fineness: Fineness): Filter {
  const name = `${from}:${to}:${fineness.passEdge}:${fineness.stopAttenuationDb}`
  const known = filters.get(name)
  if (known) return known
  const filter = designFilter(from, to, fineness)
  if (filters.size >= keptFilters) filters.clear()
  filters.set(name, filter)
  return filter
}

function designFilter(from: number, to: number, { passEdge, stopAttenuationDb }: Fineness): Filter {
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
export function convolve(input: Float64Array, start: number, taps: Float64Array): number {
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

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b)
}

export function checkRate(rate: number): void {
  if (Number.isInteger(rate) && rate >= minRate && rate <= maxRate) return
  throw new RangeError(`a sample rate is a whole number from ${minRate} to ${maxRate}, not ${rate}`)
}

const radices = [5, 4, 2]

/**
 * A complex Fourier transform of one fixed length whose prime factors are 2 and 5, in place and without allocation.
 * Stockham's ordering: each stage reads one pair of buffers and writes the other, so no bit reversal is needed.
 */
export interface Fourier {
  readonly length: number
  /** The signal before `transform`, the spectrum after it. */
  readonly real: Float64Array
  readonly imaginary: Float64Array
  transform(): void
}

interface Stage {
  readonly radix: number
  /** Butterflies a group; `stride` is the number of groups. */
  readonly span: number
  readonly stride: number
  readonly cos: Float64Array
  readonly sin: Float64Array
}

interface Planes {
  readonly real: Float64Array
  readonly imaginary: Float64Array
}

export function fourier(length: number): Fourier {
  const stages = stagesOf(length)
  const signal = planes(length)
  const scratch = planes(length)
  return {
    length,
    ...signal,
    transform: () => {
      let from = signal
      let to = scratch
      for (const stage of stages) {
        run(stage, from, to)
        ;[from, to] = [to, from]
      }
      if (from === signal) return
      signal.real.set(from.real)
      signal.imaginary.set(from.imaginary)
    },
  }
}

function planes(length: number): Planes {
  return { real: new Float64Array(length), imaginary: new Float64Array(length) }
}

function stagesOf(length: number): Stage[] {
  const stages: Stage[] = []
  let rest = length
  let stride = 1
  while (rest > 1) {
    const radix = radices.find((candidate) => rest % candidate === 0)
    if (radix === undefined) throw new RangeError(`a transform of ${length} points needs factors of 2 and 5 only`)
    const span = rest / radix
    stages.push({ radix, span, stride, ...twiddles(rest, radix) })
    rest = span
    stride *= radix
  }
  return stages
}

function twiddles(size: number, radix: number): { cos: Float64Array; sin: Float64Array } {
  const span = size / radix
  const cos = new Float64Array(span * radix)
  const sin = new Float64Array(span * radix)
  for (let index = 0; index < span; index++)
    for (let output = 0; output < radix; output++) {
      const angle = (-2 * Math.PI * index * output) / size
      cos[index * radix + output] = Math.cos(angle)
      sin[index * radix + output] = Math.sin(angle)
    }
  return { cos, sin }
}

function run(stage: Stage, from: Planes, to: Planes): void {
  if (stage.radix === 5) return byFives(stage, from, to)
  if (stage.radix === 4) return byFours(stage, from, to)
  return byTwos(stage, from, to)
}

function byTwos({ span, stride, cos, sin }: Stage, from: Planes, to: Planes): void {
  const { real, imaginary } = from
  const { real: toReal, imaginary: toImaginary } = to
  const half = span * stride
  for (let index = 0; index < span; index++) {
    const c = cos[index * 2 + 1]!
    const s = sin[index * 2 + 1]!
    for (let group = 0; group < stride; group++) {
      const a = group + stride * index
      const re = real[a]! - real[a + half]!
      const im = imaginary[a]! - imaginary[a + half]!
      const out = group + stride * 2 * index
      toReal[out] = real[a]! + real[a + half]!
      toImaginary[out] = imaginary[a]! + imaginary[a + half]!
      toReal[out + stride] = re * c - im * s
      toImaginary[out + stride] = re * s + im * c
    }
  }
}

function byFours({ span, stride, cos, sin }: Stage, from: Planes, to: Planes): void {
  const { real, imaginary } = from
  const { real: toReal, imaginary: toImaginary } = to
  const step = span * stride
  for (let index = 0; index < span; index++) {
    const turn = index * 4
    for (let group = 0; group < stride; group++) {
      const a = group + stride * index
      const b = a + step
      const c = b + step
      const d = c + step
      const sumRe = real[a]! + real[c]!
      const sumIm = imaginary[a]! + imaginary[c]!
      const gapRe = real[a]! - real[c]!
      const gapIm = imaginary[a]! - imaginary[c]!
      const oddSumRe = real[b]! + real[d]!
      const oddSumIm = imaginary[b]! + imaginary[d]!
      const oddGapRe = real[b]! - real[d]!
      const oddGapIm = imaginary[b]! - imaginary[d]!
      const out = group + stride * turn
      toReal[out] = sumRe + oddSumRe
      toImaginary[out] = sumIm + oddSumIm
      const firstRe = gapRe + oddGapIm
      const firstIm = gapIm - oddGapRe
      toReal[out + stride] = firstRe * cos[turn + 1]! - firstIm * sin[turn + 1]!
      toImaginary[out + stride] = firstRe * sin[turn + 1]! + firstIm * cos[turn + 1]!
      const secondRe = sumRe - oddSumRe
      const secondIm = sumIm - oddSumIm
      toReal[out + 2 * stride] = secondRe * cos[turn + 2]! - secondIm * sin[turn + 2]!
      toImaginary[out + 2 * stride] = secondRe * sin[turn + 2]! + secondIm * cos[turn + 2]!
      const thirdRe = gapRe - oddGapIm
      const thirdIm = gapIm + oddGapRe
      toReal[out + 3 * stride] = thirdRe * cos[turn + 3]! - thirdIm * sin[turn + 3]!
      toImaginary[out + 3 * stride] = thirdRe * sin[turn + 3]! + thirdIm * cos[turn + 3]!
    }
  }
}

const cos1 = Math.cos((2 * Math.PI) / 5)
const cos2 = Math.cos((4 * Math.PI) / 5)
const sin1 = Math.sin((2 * Math.PI) / 5)
const sin2 = Math.sin((4 * Math.PI) / 5)

function byFives({ span, stride, cos, sin }: Stage, from: Planes, to: Planes): void {
  const { real, imaginary } = from
  const { real: toReal, imaginary: toImaginary } = to
  const step = span * stride
  for (let index = 0; index < span; index++) {
    const turn = index * 5
    for (let group = 0; group < stride; group++) {
      const a = group + stride * index
      const aRe = real[a]!
      const aIm = imaginary[a]!
      const outerSumRe = real[a + step]! + real[a + 4 * step]!
      const outerSumIm = imaginary[a + step]! + imaginary[a + 4 * step]!
      const outerGapRe = real[a + step]! - real[a + 4 * step]!
      const outerGapIm = imaginary[a + step]! - imaginary[a + 4 * step]!
      const innerSumRe = real[a + 2 * step]! + real[a + 3 * step]!
      const innerSumIm = imaginary[a + 2 * step]! + imaginary[a + 3 * step]!
      const innerGapRe = real[a + 2 * step]! - real[a + 3 * step]!
      const innerGapIm = imaginary[a + 2 * step]! - imaginary[a + 3 * step]!
      const nearRe = aRe + cos1 * outerSumRe + cos2 * innerSumRe
      const nearIm = aIm + cos1 * outerSumIm + cos2 * innerSumIm
      const nearTurnRe = sin1 * outerGapIm + sin2 * innerGapIm
      const nearTurnIm = -sin1 * outerGapRe - sin2 * innerGapRe
      const farRe = aRe + cos2 * outerSumRe + cos1 * innerSumRe
      const farIm = aIm + cos2 * outerSumIm + cos1 * innerSumIm
      const farTurnRe = sin2 * outerGapIm - sin1 * innerGapIm
      const farTurnIm = -sin2 * outerGapRe + sin1 * innerGapRe
      const out = group + stride * turn
      toReal[out] = aRe + outerSumRe + innerSumRe
      toImaginary[out] = aIm + outerSumIm + innerSumIm
      const firstRe = nearRe + nearTurnRe
      const firstIm = nearIm + nearTurnIm
      toReal[out + stride] = firstRe * cos[turn + 1]! - firstIm * sin[turn + 1]!
      toImaginary[out + stride] = firstRe * sin[turn + 1]! + firstIm * cos[turn + 1]!
      const secondRe = farRe + farTurnRe
      const secondIm = farIm + farTurnIm
      toReal[out + 2 * stride] = secondRe * cos[turn + 2]! - secondIm * sin[turn + 2]!
      toImaginary[out + 2 * stride] = secondRe * sin[turn + 2]! + secondIm * cos[turn + 2]!
      const thirdRe = farRe - farTurnRe
      const thirdIm = farIm - farTurnIm
      toReal[out + 3 * stride] = thirdRe * cos[turn + 3]! - thirdIm * sin[turn + 3]!
      toImaginary[out + 3 * stride] = thirdRe * sin[turn + 3]! + thirdIm * cos[turn + 3]!
      const fourthRe = nearRe - nearTurnRe
      const fourthIm = nearIm - nearTurnIm
      toReal[out + 4 * stride] = fourthRe * cos[turn + 4]! - fourthIm * sin[turn + 4]!
      toImaginary[out + 4 * stride] = fourthRe * sin[turn + 4]! + fourthIm * cos[turn + 4]!
    }
  }
}

/**
 * Faster or slower at the same pitch, by overlapping and adding windows where they fit best (WSOLA). Used for the speeds
 * that an engine cannot do itself.
 */
export function stretch(samples: Float32Array, { factor, rate }: { factor: number; rate: number }): Float32Array {
  if (Math.abs(factor - 1) < leastChange || samples.length === 0) return samples
  const size = 2 * Math.round((rate * windowMs) / 2_000)
  const hop = size / 2
  const reach = Math.round((rate * reachMs) / 1_000)
  const length = Math.round(samples.length / factor)
  const output = new Float32Array(length + size)
  const window = Float32Array.from({ length: size }, (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / size))
  let expected = 0 // where the input goes on naturally after the window before
  for (let at = 0; at < length; at += hop) {
    const wanted = Math.round(at * factor)
    const from = at === 0 ? 0 : bestFit(samples, { around: wanted, reach, expected, size: hop })
    for (let i = 0; i < size; i += 1)
      output[at + i]! += (samples[from + i] ?? 0) * (at === 0 && i < hop ? 1 : window[i]!)
    expected = from + hop
  }
  return output.slice(0, length)
}

const leastChange = 0.01
const windowMs = 40
const reachMs = 8
const stepSamples = 4

interface Fit {
  readonly around: number
  readonly reach: number
  readonly expected: number
  readonly size: number
}

function bestFit(samples: Float32Array, { around, reach, expected, size }: Fit): number {
  let best = Math.max(0, around)
  let bestScore = Number.NEGATIVE_INFINITY
  for (let from = Math.max(0, around - reach); from <= around + reach; from += stepSamples) {
    let score = 0
    for (let i = 0; i < size; i += stepSamples) score += (samples[from + i] ?? 0) * (samples[expected + i] ?? 0)
    if (score > bestScore) {
      bestScore = score
      best = from
    }
  }
  return best
}

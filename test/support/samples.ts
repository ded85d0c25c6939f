/** Samples to test with, and ways to look at them. */
export function aTone(options: { hz: number; seconds: number; rate?: number; level?: number }): Float32Array {
  const { hz, seconds, rate = 16_000, level = 0.5 } = options
  return Float32Array.from(
    { length: Math.round(seconds * rate) },
    (_, index) => level * Math.sin((2 * Math.PI * hz * index) / rate),
  )
}

/** White noise from a seed, so that a failure can be seen again. */
export function aNoise(options: { seconds: number; seed: number; rate?: number; level?: number }): Float32Array {
  const { seconds, seed, rate = 16_000, level = 0.1 } = options
  const random = aRandom(seed)
  return Float32Array.from({ length: Math.round(seconds * rate) }, () => level * (2 * random() - 1))
}

export function aRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b_79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** The amplitude of one tone in the middle of a clip, by projection under a Hann window. */
export function amplitudeAt(samples: Float32Array, rate: number, hz: number): number {
  const part = samples.subarray(samples.length / 4, (samples.length * 3) / 4)
  let real = 0
  let imaginary = 0
  let weight = 0
  part.forEach((sample, index) => {
    const window = 0.5 - 0.5 * Math.cos((2 * Math.PI * index) / part.length)
    const angle = (2 * Math.PI * hz * index) / rate
    real += sample * window * Math.cos(angle)
    imaginary += sample * window * Math.sin(angle)
    weight += window
  })
  return (2 * Math.hypot(real, imaginary)) / weight
}

export function inDecibels(amplitude: number): number {
  return 20 * Math.log10(Math.max(amplitude, 1e-12))
}

export function loudness(samples: Float32Array): number {
  return Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / Math.max(1, samples.length))
}

export function joinedSamples(parts: readonly Float32Array[]): Float32Array {
  const whole = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

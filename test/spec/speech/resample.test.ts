import test from 'ava'
import * as fc from 'fast-check'

import { createResampler, resample } from '../../../infra/speech/audio/resample.ts'

const pairs: readonly (readonly [from: number, to: number])[] = [
  [8_000, 16_000],
  [24_000, 16_000],
  [44_100, 16_000],
  [48_000, 16_000],
  [16_000, 24_000],
  [24_000, 8_000],
  [8_000, 24_000],
]
const maxRippleDb = 0.01
const minAttenuationDb = 80

for (const [from, to] of pairs) {
  const nyquist = Math.min(from, to) / 2

  test(`${from} to ${to}: tones up to nine tenths of the band pass within ${maxRippleDb} dB`, (t) => {
    for (const share of [0.02, 0.1, 0.25, 0.5, 0.7, 0.85, 0.9]) {
      const hertz = nyquist * share
      const gain = decibels(amplitudeAt(resample(tone(from, hertz), from, to), to, hertz))
      t.true(Math.abs(gain) <= maxRippleDb, `${hertz} Hz: ${gain} dB`)
    }
  })

  test(`${from} to ${to}: what the source did not hold, or the target cannot, is ${minAttenuationDb} dB down`, (t) => {
    for (const { played, heard } of from > to ? aliases(from, to) : images(from, to)) {
      const residue = decibels(amplitudeAt(resample(tone(from, played), from, to), to, heard))
      t.true(residue <= -minAttenuationDb, `${played} Hz heard at ${heard} Hz: ${residue} dB`)
    }
  })
}

test('the output does not depend on how the input was cut', (t) => {
  fc.assert(
    fc.property(
      fc.constantFrom(...pairs, [16_000, 16_000] as const, [11_025, 16_000] as const, [47_999, 16_000] as const),
      fc.array(fc.integer({ min: 0, max: 700 }), { minLength: 1, maxLength: 12 }),
      fc.integer(),
      ([from, to], sizes, seed) => {
        const whole = noise(
          sizes.reduce((sum, size) => sum + size, 0),
          seed,
        )
        const resampler = createResampler(from, to)
        const parts: number[] = []
        let at = 0
        for (const size of sizes) {
          parts.push(...resampler.push(whole.subarray(at, at + size)))
          at += size
        }
        parts.push(...resampler.flush())
        t.deepEqual(Float32Array.from(parts), resample(whole, from, to))
      },
    ),
    { numRuns: 150 },
  )
})

test('the length follows the rates, rounded up, and a click stays where it was', (t) => {
  for (const [from, to] of pairs) {
    for (const length of [0, 1, 2, 100, 4_411]) {
      t.is(resample(new Float32Array(length), from, to).length, Math.ceil((length * to) / from), `${from}:${to}`)
    }
    const click = new Float32Array(from)
    click[from / 2] = 1
    const output = resample(click, from, to)
    t.is(output.indexOf(Math.max(...output)), to / 2)
  }
})

test('a resampler can be used again after a flush', (t) => {
  const clip = noise(5_000, 7)
  const resampler = createResampler(48_000, 16_000)
  const first = [...resampler.push(clip), ...resampler.flush()]
  const second = [...resampler.push(clip), ...resampler.flush()]
  t.deepEqual(second, first)
})

test('a rate that cannot be is refused', (t) => {
  for (const rate of [0, -8_000, 44_100.5, Number.NaN, 1e9]) {
    t.throws(() => createResampler(rate, 16_000), { instanceOf: RangeError })
  }
})

interface Ghost {
  readonly played: number
  readonly heard: number
}

/** Tones that the target cannot hold, and where they would come back. */
function aliases(from: number, to: number): Ghost[] {
  return [1.01, 1.1, 1.3, 1.7, 1.95]
    .map((share) => (to / 2) * share)
    .filter((played) => played < from / 2)
    .map((played) => ({ played, heard: to - played }))
}

/** Tones of the source, and where upsampling would mirror them. */
function images(from: number, to: number): Ghost[] {
  return [0.1, 0.5, 0.9]
    .map((share) => (from / 2) * share)
    .map((played) => ({ played, heard: from - played }))
    .filter(({ heard }) => heard < to / 2)
}

function tone(rate: number, hertz: number): Float32Array {
  return Float32Array.from({ length: rate }, (_, index) => Math.sin((2 * Math.PI * hertz * index) / rate + 0.3))
}

function noise(length: number, seed: number): Float32Array {
  let state = seed >>> 0 || 1
  return Float32Array.from({ length }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 31 - 1
  })
}

function middle(samples: Float32Array): Float32Array {
  return samples.subarray(samples.length / 4, (samples.length * 3) / 4)
}

/** The amplitude of one tone in the middle of a clip, by projection under a Hann window. */
function amplitudeAt(samples: Float32Array, rate: number, hertz: number): number {
  const part = middle(samples)
  let real = 0
  let imaginary = 0
  let weight = 0
  part.forEach((sample, index) => {
    const window = 0.5 - 0.5 * Math.cos((2 * Math.PI * index) / part.length)
    const angle = (2 * Math.PI * hertz * index) / rate
    real += sample * window * Math.cos(angle)
    imaginary += sample * window * Math.sin(angle)
    weight += window
  })
  return (2 * Math.hypot(real, imaginary)) / weight
}

function decibels(amplitude: number): number {
  return 20 * Math.log10(Math.max(amplitude, 1e-12))
}

import test from 'ava'
import * as fc from 'fast-check'

import { windowResampler } from '../../../infra/speech/audio/signal/resample-window.ts'
import { createResampler, resample } from '../../../infra/speech/audio/signal/resample.ts'
import { enoughForDetection, enoughForSpeech } from '../../../infra/speech/audio/signal/resampling-filter.ts'
import { aNoise, amplitudeAt, aTone, inDecibels } from '../../support/samples.ts'

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
      const gain = inDecibels(
        amplitudeAt(resample(aTone({ hz: hertz, seconds: 1, rate: from, level: 1 }), from, to), to, hertz),
      )
      t.true(Math.abs(gain) <= maxRippleDb, `${hertz} Hz: ${gain} dB`)
    }
  })

  test(`${from} to ${to}: what the source did not hold, or the target cannot, is ${minAttenuationDb} dB down`, (t) => {
    for (const { played, heard } of from > to ? aliases(from, to) : images(from, to)) {
      const residue = inDecibels(
        amplitudeAt(resample(aTone({ hz: played, seconds: 1, rate: from, level: 1 }), from, to), to, heard),
      )
      t.true(residue <= -minAttenuationDb, `${played} Hz heard at ${heard} Hz: ${residue} dB`)
    }
  })
}

for (const from of [8_000, 24_000])
  test(`${from} to 16000 for a listening machine: flat to eight tenths of the band, and 45 dB of silence above`, (t) => {
    const nyquist = Math.min(from, 16_000) / 2
    const heardAt = (hz: number, heard = hz): number => {
      const resampler = createResampler(from, 16_000, enoughForSpeech)
      const tone = aTone({ hz, seconds: 1, rate: from, level: 1 })
      const output = Float32Array.from([...resampler.push(tone), ...resampler.flush()])
      return inDecibels(amplitudeAt(output, 16_000, heard))
    }
    for (const share of [0.02, 0.1, 0.25, 0.5, 0.7, 0.8]) {
      const gain = heardAt(nyquist * share)
      t.true(Math.abs(gain) <= 0.1, `${nyquist * share} Hz: ${gain} dB`)
    }
    const residue = from > 16_000 ? heardAt(10_000, 6_000) : heardAt(1_000, 7_000)
    t.true(residue <= -45, `${residue} dB`)
  })

test('the output does not depend on how the input was cut', (t) => {
  fc.assert(
    fc.property(
      fc.constantFrom(...pairs, [16_000, 16_000] as const, [11_025, 16_000] as const, [47_999, 16_000] as const),
      fc.array(fc.integer({ min: 0, max: 700 }), { minLength: 1, maxLength: 12 }),
      fc.integer(),
      ([from, to], sizes, seed) => {
        const whole = aNoise({ seconds: sizes.reduce((sum, size) => sum + size, 0), rate: 1, seed })
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

for (const rate of [8_000, 16_000, 24_000])
  test(`a stretch of a sound at ${rate} Hz is resampled as if with all of it`, (t) => {
    const pcm = Int16Array.from(aNoise({ seconds: 1, rate, seed: 5 }), (sample) => 20_000 * sample)
    const whole = createResampler(rate, 16_000, enoughForDetection).push(
      Float32Array.from(pcm, (sample) => sample / 32_768),
    )
    const window = windowResampler(rate, 16_000, enoughForDetection)
    const stretch = new Float32Array(576)
    const from = (4_096 * rate) / 16_000
    const to = from + (stretch.length * rate) / 16_000
    window.resample(pcm.subarray(from - window.margin, to + window.margin), stretch)
    t.deepEqual(stretch, whole.slice(4_096, 4_096 + stretch.length))
  })

test('a resampler can be used again after a flush', (t) => {
  const clip = aNoise({ seconds: 5_000, rate: 1, seed: 7 })
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

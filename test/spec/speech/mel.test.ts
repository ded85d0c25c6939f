import test from 'ava'
import * as fc from 'fast-check'

import { fourier } from '../../../infra/speech/audio/fourier.ts'
import { logMel } from '../../../infra/speech/audio/mel.ts'

test('the fast transform equals the sum that defines it, for every length of twos and fives', (t) => {
  for (const length of [1, 2, 4, 5, 8, 10, 20, 25, 40, 50, 100, 200, 400]) {
    const transform = fourier(length)
    const signal = noise(2 * length, length)
    for (let i = 0; i < length; i++) {
      transform.real[i] = signal[2 * i]!
      transform.imaginary[i] = signal[2 * i + 1]!
    }
    transform.transform()
    for (let k = 0; k < length; k++) {
      let real = 0
      let imaginary = 0
      for (let i = 0; i < length; i++) {
        const angle = (-2 * Math.PI * i * k) / length
        real += signal[2 * i]! * Math.cos(angle) - signal[2 * i + 1]! * Math.sin(angle)
        imaginary += signal[2 * i]! * Math.sin(angle) + signal[2 * i + 1]! * Math.cos(angle)
      }
      t.true(Math.abs(transform.real[k]! - real) < 1e-9, `real ${k} of ${length}`)
      t.true(Math.abs(transform.imaginary[k]! - imaginary) < 1e-9, `imaginary ${k} of ${length}`)
    }
  }
})

test('a length with another factor is refused', (t) => {
  t.throws(() => fourier(12), { message: /factors of 2 and 5/ })
})

for (const bins of [80, 128] as const)
  test(`${bins} bins match the plain definition to 1e-4`, (t) => {
    const clip = noise(4321, 7).map((value, i) => value * 0.1 + 0.5 * Math.sin((2 * Math.PI * 440 * i) / 16_000))
    assertClose(t, logMel(clip, { bins }), plainLogMel(clip, { bins, length: clip.length }))
  })

test('padding appends silence before the spectrum is taken', (t) => {
  const clip = noise(5000, 3)
  assertClose(t, logMel(clip, { bins: 80, padToSeconds: 1 }), plainLogMel(clip, { bins: 80, length: 16_000 }))
})

test('a clip that nearly fills its padding is reflected at the end like any other', (t) => {
  const clip = noise(7990, 4)
  assertClose(t, logMel(clip, { bins: 80, padToSeconds: 0.5 }), plainLogMel(clip, { bins: 80, length: 8000 }))
})

test('30 s of padding give 3000 frames', (t) => {
  t.is(logMel(noise(16_000, 1), { bins: 80, padToSeconds: 30 }).frames, 3000)
})

test('a clip longer than its padding is refused, not cut', (t) => {
  t.throws(() => logMel(new Float32Array(16_001), { bins: 80, padToSeconds: 1 }), { instanceOf: RangeError })
})

test('digital silence is flat and finite', (t) => {
  const { data, frames } = logMel(new Float32Array(3200), { bins: 80 })
  t.is(frames, 20)
  t.true(data.every((value) => value === -1.5))
})

test('clips of any length give one frame a hop, all of them finite', (t) => {
  const oneFrameAHop = fc.property(fc.integer({ min: 0, max: 2000 }), (length) => {
    const { data, frames } = logMel(noise(length, length), { bins: 80 })
    return frames === Math.floor(length / 160) && data.length === 80 * frames && data.every(Number.isFinite)
  })
  t.notThrows(() => fc.assert(oneFrameAHop))
})

test('two calls do not disturb each other', (t) => {
  const first = logMel(noise(3333, 1), { bins: 80 })
  logMel(noise(9999, 2), { bins: 80 })
  t.deepEqual(logMel(noise(3333, 1), { bins: 80 }), first)
})

function assertClose(t: { true(value: boolean, message?: string): void }, got: Mel, wanted: Mel): void {
  t.true(got.frames === wanted.frames && got.data.length === wanted.data.length, 'same shape')
  let worst = 0
  for (let i = 0; i < wanted.data.length; i++) worst = Math.max(worst, Math.abs(got.data[i]! - wanted.data[i]!))
  t.true(worst < 1e-4, `largest difference ${worst}`)
}

interface Mel {
  data: Float32Array
  frames: number
}

/** The definition, as slow as it reads: reflect, window, sum, filter, log. */
function plainLogMel(clip: Float32Array, { bins, length }: { bins: number; length: number }): Mel {
  const at = (index: number) => clip[index < 0 ? -index : index >= length ? 2 * (length - 1) - index : index] ?? 0
  const frames = Math.floor(length / 160)
  const data = new Float32Array(bins * frames)
  const bank = plainFilters(bins)
  for (let frame = 0; frame < frames; frame++) {
    const powers = Array.from({ length: 201 }, (_, k) => {
      let real = 0
      let imaginary = 0
      for (let i = 0; i < 400; i++) {
        const value = at(frame * 160 + i - 200) * (0.5 - 0.5 * Math.cos((2 * Math.PI * i) / 400))
        real += value * Math.cos((2 * Math.PI * i * k) / 400)
        imaginary -= value * Math.sin((2 * Math.PI * i * k) / 400)
      }
      return real * real + imaginary * imaginary
    })
    for (let bin = 0; bin < bins; bin++) {
      const power = powers.reduce((sum, value, k) => sum + value * bank[bin]![k]!, 0)
      data[bin * frames + frame] = Math.log10(Math.max(power, 1e-10))
    }
  }
  const loudest = data.reduce((a, b) => Math.max(a, b), -Infinity)
  return { frames, data: data.map((value) => (Math.max(value, loudest - 8) + 4) / 4) }
}

function plainFilters(bins: number): number[][] {
  const toHertz = (mel: number) => (mel < 15 ? (mel * 200) / 3 : 1000 * Math.pow(6.4, (mel - 15) / 27))
  const top = 15 + (27 * Math.log(8)) / Math.log(6.4)
  const edge = (i: number) => toHertz((top * i) / (bins + 1))
  return Array.from({ length: bins }, (_, bin) =>
    Array.from({ length: 201 }, (__, k) => {
      const [low, peak, high] = [edge(bin), edge(bin + 1), edge(bin + 2)]
      const rise = (k * 40 - low) / (peak - low)
      const fall = (high - k * 40) / (high - peak)
      return (2 * Math.max(0, Math.min(rise, fall))) / (high - low)
    }),
  )
}

/** White noise in [-1, 1) that is the same each time. */
function noise(length: number, seed: number): Float32Array {
  let state = seed + 1
  return Float32Array.from({ length }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 31 - 1
  })
}

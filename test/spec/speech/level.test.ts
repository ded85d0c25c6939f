import test from 'ava'
import * as fc from 'fast-check'

import { evenLevel } from '../../../infra/speech/audio/level.ts'

const second = 16_000

test('a quiet speaker after a loud one becomes as loud', (t) => {
  const clip = concat(tone(3, 0.5), tone(3, 0.02))
  const even = evenLevel(clip)
  const [loud, quiet] = [rms(even.subarray(0, 1.5 * second)), rms(even.subarray(4.5 * second))]
  t.true(Math.abs(loud - quiet) < 0.01, `${loud} and ${quiet}`)
})

test('pauses between words are not raised to the level of words', (t) => {
  const even = evenLevel(concat(tone(1, 0.3), tone(0.5, 0.001), tone(1, 0.3)))
  const pause = even.subarray(1.1 * second, 1.4 * second)
  t.true(rms(pause) < 0.01 * rms(even.subarray(0, second)))
})

test('silence stays silence and faint noise stays faint', (t) => {
  t.true(evenLevel(new Float32Array(second)).every((value) => value === 0))
  t.true(rms(evenLevel(tone(2, 0.0005))) < 0.01)
})

test('the same words louder or quieter come out the same', (t) => {
  const given = tone(2, 0.3)
  const louder = evenLevel(given)
  const quieter = evenLevel(given.map((value) => value / 8))
  t.true(louder.every((value, i) => Math.abs(value - quieter[i]!) < 1e-5))
})

test('clips of any length keep it and stay finite, and the caller keeps the original', (t) => {
  const keeps = fc.property(fc.float32Array({ min: -1, max: 1, noNaN: true, maxLength: 5000 }), (samples) => {
    const before = samples.slice()
    const even = evenLevel(samples)
    return (
      even.length === samples.length && even.every(Number.isFinite) && samples.every((value, i) => value === before[i])
    )
  })
  t.notThrows(() => fc.assert(keeps))
})

function tone(seconds: number, amplitude: number): Float32Array {
  return Float32Array.from(
    { length: seconds * second },
    (_, i) => amplitude * Math.sin((2 * Math.PI * 200 * i) / second),
  )
}

function concat(...parts: Float32Array[]): Float32Array {
  return Float32Array.from(parts.flatMap((part) => Array.from(part)))
}

function rms(samples: Float32Array): number {
  return Math.sqrt(samples.reduce((sum, value) => sum + value * value, 0) / samples.length)
}

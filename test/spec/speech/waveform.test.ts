import test from 'ava'
import * as fc from 'fast-check'

import { createWaveform } from '../../../infra/speech/audio/waveform.ts'

const rate = 16_000

test('each point is the loudest of its time, in whatever pieces the recording came', (t) => {
  fc.assert(
    fc.property(
      fc.array(fc.float({ min: -1, max: 1, noNaN: true }), { minLength: 1, maxLength: 40 }),
      fc.integer({ min: 1, max: 5_000 }),
      (loudness, pieceSamples) => {
        // each value lasts a tenth of a second, and is followed by silence of as long
        const samples = new Float32Array(loudness.length * 3_200)
        for (const [at, value] of loudness.entries()) samples.fill(value, at * 3_200, at * 3_200 + 1_600)
        const waveform = createWaveform()
        for (let start = 0; start < samples.length; start += pieceSamples)
          waveform.push([samples.subarray(start, start + pieceSamples)])
        const { seconds_per_point: step, levels } = waveform.made()
        t.is(step, 0.05)
        t.deepEqual(
          levels,
          loudness.flatMap((value) => [1, 1, 0, 0].map((is) => is * Math.round(Math.abs(value) * 1_000))),
        )
      },
    ),
  )
})

test('what is not looked at is flat, however long it is', (t) => {
  const waveform = createWaveform()
  waveform.skip(rate)
  waveform.push([new Float32Array(1_600).fill(0.5)])
  t.deepEqual(waveform.made().levels, [...Array(20).fill(0), 500, 500])
  const late = createWaveform()
  late.skip(1_000_000 * rate)
  t.true(late.made().levels.length <= 1_600)
})

test('of two channels the louder one counts', (t) => {
  const waveform = createWaveform()
  waveform.push([new Float32Array(1_600).fill(0.1), new Float32Array(1_600).fill(-0.3)])
  t.deepEqual(waveform.made().levels, [300, 300])
})

test('a recording of any length has at most 1,600 points, and a short bang is never lost', (t) => {
  for (const seconds of [79.9, 80, 81, 600, 10_800]) {
    const waveform = createWaveform()
    const second = new Float32Array(rate)
    for (let at = 0; at < Math.floor(seconds); at += 1) waveform.push([second])
    waveform.push([new Float32Array(1).fill(1)])
    waveform.push([second.subarray(0, Math.round((seconds % 1) * rate))])
    const { seconds_per_point: step, levels } = waveform.made()
    t.true(levels.length <= 1_600 && levels.length >= 800, `${levels.length} points of ${seconds} s`)
    t.true(Math.abs(levels.length * step - seconds) <= step + 1 / rate)
    t.is(levels[Math.floor(Math.floor(seconds) / step)], 1_000)
  }
})

test('nothing has no points, and what is louder than loud is as loud as can be', (t) => {
  t.deepEqual(createWaveform().made().levels, [])
  const waveform = createWaveform()
  waveform.push([new Float32Array(800).fill(1.7)])
  t.deepEqual(waveform.made().levels, [1_000])
})

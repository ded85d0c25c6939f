import test from 'ava'
import * as fc from 'fast-check'

import type { Segment } from '../../../../actors/transcript/state.ts'
import { bleeped, bleepsOf } from '../../../../infra/speech/redaction/bleep.ts'

const rate = 16_000

function said(...words: readonly (readonly [word: string, start: number, end: number])[]): { segments: Segment[] } {
  const spoken = words.map(([word, start, end]) => ({ word, start, end, language: 'und', confidence: 1 }))
  const about = { start: 0, end: 9, text: '', language: 'en', confidence: 1, tags: [], model: 'm' }
  return { segments: [{ ...about, words: spoken }] }
}

test('a tone lasts as long as what it stands for, and a little on both sides', (t) => {
  const bleeps = bleepsOf(said(['call', 0, 1], ['[phone]', 1, 2], ['[laughing]', 3, 4], ['[name]', 5, 6]))
  t.deepEqual(bleeps, [
    { from: 0.8 * rate, to: 2.2 * rate },
    { from: 4.8 * rate, to: 6.2 * rate },
  ])
  const heard = bleeped(new Float32Array(3 * rate).fill(0.5), 0, bleeps)
  t.is(heard[0.7 * rate], 0.5)
  t.is(heard[2.3 * rate], 0.5)
  const hidden = heard.subarray(0.8 * rate, 2.2 * rate)
  t.true(hidden.every((sample) => Math.abs(sample) <= 0.100_01))
})

test('what nobody wrote down, and what was not to be transcribed, is not heard either', (t) => {
  const gaps = [{ start: 4, end: 5, chunk_index: 1, reason: 'timed out' }]
  const bleeps = bleepsOf({ ...said(['hello', 3, 4]), gaps }, { start: 2, end: 8 })
  const heard = bleeped(new Float32Array(10 * rate).fill(0.5), 0, bleeps)
  const isHeard = (seconds: number): boolean => heard[seconds * rate] === 0.5
  t.deepEqual([1, 1.9, 2.1, 3.7, 4.5, 5.1, 5.3, 7.9, 8.1, 9.5].map(isHeard), [
    false,
    false,
    true,
    true,
    false,
    false,
    true,
    true,
    false,
    false,
  ])
  t.deepEqual(bleepsOf(said(['hello', 3, 4]), { start: 2 }), [{ from: 0, to: 2 * rate }])
})

test('nothing of it is heard, in whatever blocks the recording comes', (t) => {
  const bleeps = bleepsOf(said(['[phone]', 0.5, 0.7], ['[card]', 0.6, 1.1]))
  const samples = Float32Array.from({ length: 2 * rate }, (_, at) => 0.5 + at / (8 * rate))
  const whole = bleeped(samples, 0, bleeps)
  fc.assert(
    fc.property(fc.uniqueArray(fc.integer({ min: 1, max: 2 * rate - 1 }), { maxLength: 9 }), (cuts) => {
      const edges = [0, ...cuts.toSorted((one, other) => one - other), samples.length]
      const blocks = edges.slice(1).map((to, at) => bleeped(samples.subarray(edges[at], to), edges[at]!, bleeps))
      t.deepEqual(Buffer.concat(blocks.map(({ buffer }) => Buffer.from(buffer))), Buffer.from(whole.buffer))
    }),
    { numRuns: 20 },
  )
})

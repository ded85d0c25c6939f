import test from 'ava'
import * as fc from 'fast-check'

import { speechSpans } from '../../../infra/speech/vad/segments.ts'

const frame = 512

test('silence has no spans', (t) => {
  t.deepEqual(speechSpans(new Float32Array(100).fill(0.1), 100 * frame), [])
})

test('an empty recording has no spans', (t) => {
  t.deepEqual(speechSpans(new Float32Array(0), 0), [])
})

test('speech is padded by 0.2 s at both ends', (t) => {
  t.deepEqual(spansOf([...quiet(30), ...loud(30), ...quiet(30)]), [
    { start: 30 * frame - 3200, end: 60 * frame + 3200 },
  ])
})

test('padding stays within the recording', (t) => {
  t.deepEqual(speechSpans(Float32Array.from(loud(20)), 20 * frame - 100), [{ start: 0, end: 20 * frame - 100 }])
})

test('a click shorter than 0.2 s is not speech', (t) => {
  t.deepEqual(spansOf([...quiet(30), ...loud(5), ...quiet(30)]), [])
})

test('a dip that stays above the offset does not end speech, nor does a short one below it', (t) => {
  const doubtful = Array.from({ length: 30 }, () => 0.4)
  t.is(spansOf([...loud(20), ...doubtful, ...loud(20)]).length, 1)
  t.is(spansOf([...loud(20), ...quiet(5), ...loud(20)]).length, 1)
})

test('doubt alone never begins speech', (t) => {
  t.deepEqual(spansOf(Array.from({ length: 100 }, () => 0.45)), [])
})

test('neighbours share the silence between them', (t) => {
  const [first, second] = spansOf([...loud(20), ...quiet(11), ...loud(20)])
  t.is(first?.end, second?.start)
})

test('spans are ordered, disjoint, within the recording, and hold every long stretch of certain speech', (t) => {
  const spansHold = fc.property(
    fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.integer({ min: 1, max: 40 })), { maxLength: 40 }),
    (runs) => {
      const probabilities = runs.flatMap(([likelihood, length]) => Array.from({ length }, () => likelihood))
      const total = probabilities.length * frame
      const spans = spansOf(probabilities)
      let at = 0
      for (const { start, end } of spans) {
        if (start < at || end <= start || end > total) return false
        at = end
      }
      let from = 0
      return runs.every(([likelihood, length]) => {
        const run = { start: from * frame, end: (from + length) * frame }
        from += length
        const certain = likelihood >= 0.5 && length >= 7
        return !certain || spans.some(({ start, end }) => start <= run.start && run.end <= end)
      })
    },
  )
  t.notThrows(() => fc.assert(spansHold, { numRuns: 500 }))
})

function spansOf(probabilities: readonly number[]) {
  return speechSpans(Float32Array.from(probabilities), probabilities.length * frame)
}

function loud(frames: number): number[] {
  return Array.from({ length: frames }, () => 0.9)
}

function quiet(frames: number): number[] {
  return Array.from({ length: frames }, () => 0.05)
}

import test from 'ava'
import * as fc from 'fast-check'

import { energyOf, quietestSample } from '../../../infra/speech/vad/energy.ts'
import { planChunks } from '../../../infra/speech/vad/plan.ts'
import type { Chunk } from '../../../infra/speech/vad/plan.ts'
import type { Span } from '../../../infra/speech/vad/segments.ts'

const second = 16_000
const even = new Float32Array(0)

test('silence yields no chunks', (t) => {
  t.deepEqual(planChunks([], even), [])
})

test('short spans are packed into one chunk while they fit the window', (t) => {
  const chunks = planChunks([span(1, 5), span(6, 12), span(13, 25), span(27, 40)], even)
  t.deepEqual(chunks.map(seconds), [
    [1, 25],
    [27, 40],
  ])
})

test('of the pauses that a chunk may end in, it is the longest', (t) => {
  const speech = [span(0, 10), span(10.9, 20), span(20.3, 24), span(24.4, 40)]
  const padded = [span(0, 10.45), span(10.45, 20.15), span(20.15, 24.2), span(24.2, 40)]
  const chunks = planChunks(padded, even, { windowSeconds: 30, overlapSeconds: 2, maxSilenceSeconds: 4, speech })
  t.deepEqual(chunks.map(seconds), [
    [0, 10.45],
    [10.45, 40],
  ])
})

test('a long silence is not part of any chunk', (t) => {
  t.deepEqual(planChunks([span(1, 3), span(8, 10)], even).map(seconds), [
    [1, 3],
    [8, 10],
  ])
})

test('a monologue is cut where it is quietest, and both sides hear the second around the cut', (t) => {
  const samples = new Float32Array(40 * second).fill(0.5)
  samples.fill(0.01, 22 * second, 22.2 * second)
  const [first, last] = planChunks([span(0, 40)], energyOf(samples))
  t.true(first!.ownEnd >= 22 * second && first!.ownEnd <= 22.2 * second)
  t.is(first!.ownEnd, last!.ownStart)
  t.is(first!.end - last!.start, 2 * second)
})

test('the quietest place lies between the bounds, also where nothing differs or nothing is known', (t) => {
  const quietest = quietestSample(new Float32Array(1000).fill(1), 555, 7777)
  t.true(quietest >= 555 && quietest <= 7777)
  t.is(quietestSample(even, 1005, 1010), 1005)
})

test('all speech is answered for once, in order, and no chunk is longer than the window', (t) => {
  const planHolds = fc.property(someSpans(), fc.integer({ min: 2, max: 30 }), someEnergy(), (spans, window, energy) => {
    const chunks = planChunks(spans, energy, { windowSeconds: window, overlapSeconds: 2, maxSilenceSeconds: 4 })
    return (
      chunks.every((chunk) => isAudio(chunk, window * second)) &&
      chunks.every((chunk, i) => i === 0 || follows(chunks[i - 1]!, chunk)) &&
      spans.every((speech) => covered(speech, chunks)) &&
      chunks.every((chunk) => spans.some(({ start, end }) => start < chunk.ownEnd && chunk.ownStart < end))
    )
  })
  t.notThrows(() => fc.assert(planHolds, { numRuns: 500 }))
})

function isAudio({ start, end, ownStart, ownEnd }: Chunk, window: number): boolean {
  return start <= ownStart && ownStart < ownEnd && ownEnd <= end && end - start <= window
}

function follows(before: Chunk, chunk: Chunk): boolean {
  const apart = before.end <= chunk.start && before.ownEnd <= chunk.ownStart
  const cut = before.ownEnd === chunk.ownStart && before.start < chunk.start && before.end < chunk.end
  return apart || cut
}

function covered({ start, end }: Span, chunks: readonly Chunk[]): boolean {
  let at = start
  for (const chunk of chunks) if (chunk.ownStart <= at && at < chunk.ownEnd) at = chunk.ownEnd
  return at >= end
}

function someSpans(): fc.Arbitrary<Span[]> {
  const gapAndLength = fc.tuple(fc.integer({ min: 1, max: 8 * second }), fc.integer({ min: 1, max: 100 * second }))
  return fc.array(gapAndLength, { maxLength: 12 }).map((pairs) => {
    let at = 0
    return pairs.map(([gap, length]) => {
      const start = at + gap
      at = start + length
      return { start, end: at }
    })
  })
}

function someEnergy(): fc.Arbitrary<Float32Array> {
  return fc.float32Array({ min: 0, max: 1, noNaN: true, minLength: 0, maxLength: 3000 })
}

function span(from: number, to: number): Span {
  return { start: from * second, end: to * second }
}

function seconds({ start, end }: Span): [number, number] {
  return [start / second, end / second]
}

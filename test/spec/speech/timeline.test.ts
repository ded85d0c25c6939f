import test from 'ava'

import { createTimeline } from '../../../infra/speech/audio/timeline.ts'

const packetSeconds = 0.5

/** Reads on until a packet has to be decoded; resolves with the place in the recording where that begins. */
function begins(start: number, times: readonly (number | undefined)[], seconds = packetSeconds) {
  const timeline = createTimeline({ start })
  const first = times.findIndex((at) => !timeline.isSkipped(at, seconds))
  return { first, at: timeline.beginAt(times[first]), timeline }
}

const steady = Array.from({ length: 40 }, (_, at) => at * packetSeconds)

test('packets are skipped up to a second before the part', (t) => {
  t.like(begins(5, steady), { first: 8, at: 4 })
  t.like(begins(1, steady), { first: 0, at: 0 })
  t.like(begins(1.2, steady), { first: 0, at: 0 })
})

test('the first frame after what was skipped tells where it is, to the sample', (t) => {
  const { timeline } = begins(5, steady)
  t.is(timeline.beginAt(4.0125), 4.0125)
  t.is(timeline.gapBefore(4.0125), 0)
})

test('a hole before the part moves it, as it would if all was decoded', (t) => {
  const times = [0, 0.5, 10, 10.5, 11, 11.5, 12, 12.5, 13]
  t.like(begins(13, times), { first: 6, at: 12 })
})

test('a hole in which the part begins is filled', (t) => {
  const { first, at, timeline } = begins(13, [0, 0.5, 30, 30.5])
  t.deepEqual([first, at], [2, 1])
  t.is(timeline.gapBefore(30), 29)
})

test('times that jump or are missing count for nothing, and a jump is told', (t) => {
  t.like(begins(3, [0, 0.5, 1_000, 1_000.5, 1_001, 1_001.5]), { first: 4, at: 2 })
  t.true(begins(3, [0, 0.5, 1_000, 1_000.5, 1_001, 1_001.5]).timeline.clockJumped)
  t.like(begins(3, [0, 0.5, undefined, undefined, undefined]), { first: 4, at: 2 })
})

test('a packet that does not say how long it is, and all after it, are decoded', (t) => {
  t.like(begins(9, steady, 0), { first: 0, at: 0 })
})

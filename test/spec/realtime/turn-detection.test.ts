import test from 'ava'

import { afterFrame, detectionOptions, quiet } from '../../../realtime/session/input/turn-detection.ts'
import type { TurnChange, TurnState } from '../../../realtime/session/input/turn-detection.ts'

const options = { threshold: 0.5, paddingSamples: 4_800, silenceSamples: 8_000 }

function changesOf(probabilities: readonly number[], threshold = options.threshold): TurnChange[] {
  let state: TurnState = quiet
  return probabilities.flatMap((probability, index) => {
    const next = afterFrame(state, { startSample: index * 512, probability }, { ...options, threshold })
    state = next.state
    return next.change ?? []
  })
}
const frames = (count: number, probability: number) => Array.from({ length: count }, () => probability)

test('a turn begins with its padding and ends after its silence', (t) => {
  const changes = changesOf([...frames(20, 0), ...frames(10, 0.9), ...frames(30, 0)])
  t.deepEqual(changes, [
    { type: 'started', from: 20 * 512 - 4_800, speechFrom: 20 * 512 },
    { type: 'stopped', to: 30 * 512 + 8_000, speechEnd: 30 * 512 },
  ])
})

test('a turn at the very beginning has no padding before the beginning', (t) => {
  t.deepEqual(changesOf(frames(3, 0.9)), [{ type: 'started', from: 0, speechFrom: 0 }])
})

test('a click is no turn', (t) => {
  t.deepEqual(changesOf([...frames(5, 0), 0.99, ...frames(5, 0), 0.99, ...frames(40, 0)]), [])
})

test('a pause that is shorter than the silence does not end a turn', (t) => {
  const changes = changesOf([...frames(10, 0.9), ...frames(12, 0), ...frames(5, 0.9), ...frames(20, 0)])
  t.deepEqual(
    changes.map(({ type }) => type),
    ['started', 'stopped'],
  )
})

test('speech that dies away is still speech', (t) => {
  const changes = changesOf([...frames(10, 0.9), ...frames(20, 0.4), ...frames(20, 0)])
  t.like(changes[1], { type: 'stopped', speechEnd: 30 * 512 })
})

test('a turn ends with a low threshold too', (t) => {
  const changes = changesOf([...frames(10, 0.9), ...frames(30, 0.02)], 0.1)
  t.deepEqual(
    changes.map(({ type }) => type),
    ['started', 'stopped'],
  )
})

const silenceOf = (eagerness: 'low' | 'medium' | 'high' | 'auto', finished?: number): number => {
  const turns = { type: 'semantic_vad', eagerness, createResponse: true, interruptResponse: true } as const
  return detectionOptions(turns, finished).silenceSamples
}

for (const eagerness of ['low', 'medium', 'auto', 'high'] as const)
  test(`who has finished is waited for less than who has not: ${eagerness}`, (t) => {
    t.true(silenceOf(eagerness, 1) < silenceOf(eagerness))
    t.true(silenceOf(eagerness) < silenceOf(eagerness, 0))
    t.true(silenceOf(eagerness, 0.6) < silenceOf(eagerness, 0.4))
  })

test('eagerness is how long a pause may be', (t) => {
  t.true(silenceOf('low') > silenceOf('medium'))
  t.is(silenceOf('medium'), silenceOf('auto'))
  t.true(silenceOf('medium') > silenceOf('high'))
})

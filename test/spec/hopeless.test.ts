import test from 'ava'

import { delayBeforeAgainMs, isHopeless, puzzlesMax } from '../../actors/attempt/hopeless.ts'
import { away, retryable, terminal } from '../../actors/failure.ts'

const outage = away('storage_unavailable', 'It is away.')
const busy = retryable('overloaded', 'Later.')
const never = terminal('too_large', 'Too large.')
const puzzle = new TypeError('x is not a function')

test('an outage is never hopeless, what can never be done is at once, and a puzzle when it was met often enough', (t) => {
  t.false(isHopeless(outage, 1_000_000))
  t.true(isHopeless(never, 1))
  t.false(isHopeless(puzzle, puzzlesMax - 1))
  t.true(isHopeless(puzzle, puzzlesMax))
})

test('what failed by itself comes again soon, and a puzzle has minutes before it is given up', (t) => {
  t.is(delayBeforeAgainMs(busy, 50), 1_000)
  const delays = Array.from({ length: puzzlesMax - 1 }, (_, at) => delayBeforeAgainMs(puzzle, at + 1))
  t.is(delays[0], 1_000)
  t.is(delays.at(-1), 30_000)
  const inAllMs = delays.reduce((sum, one) => sum + one)
  t.true(inAllMs > 2 * 60_000 && inAllMs < 4 * 60_000)
})

test('what is handed back because something is away comes more rarely the more often it came, within a limit', (t) => {
  for (const [deliveries, fromMs, toMs] of [
    [1, 500, 1000],
    [4, 4000, 8000],
    [40, 15_000, 30_000],
  ] as const) {
    const delayMs = delayBeforeAgainMs(outage, deliveries)
    t.true(delayMs >= fromMs && delayMs <= toMs, `${delayMs} ms after ${deliveries}`)
  }
})

import test from 'ava'

import { nextAttempt, retryDelayMs } from '../../actors/attempt/retry.ts'
import type { Failure } from '../../actors/failure.ts'

const policy = { retriesMax: 3, intervalsMs: [5000, 15_000] }
const outage: Failure = { kind: 'retryable', code: 'overloaded', detail: 'Come back later.' }
const refusal: Failure = { kind: 'terminal', code: 'unsupported_media', detail: 'This is no sound.' }

test('what failed is tried again after the configured pauses, the last of which serves for all that follow', (t) => {
  const delays = [1, 2, 3].map((attempt) => nextAttempt(policy, attempt, outage))
  t.deepEqual(delays, [
    { retry: true, delayMs: 5000 },
    { retry: true, delayMs: 15_000 },
    { retry: true, delayMs: 15_000 },
  ])
})

test('it is not tried more often than it may', (t) => {
  t.deepEqual(nextAttempt(policy, 4, outage), { retry: false })
  t.deepEqual(nextAttempt({ retriesMax: 0, intervalsMs: [] }, 1, outage), { retry: false })
})

test('what will never work is not tried again', (t) => {
  t.deepEqual(nextAttempt(policy, 1, refusal), { retry: false })
})

test('who was told to wait longer waits longer, and who was told to wait less keeps the pause', (t) => {
  t.deepEqual(nextAttempt(policy, 1, { ...outage, retryAfterSeconds: 60 }), { retry: true, delayMs: 60_000 })
  t.deepEqual(nextAttempt(policy, 1, { ...outage, retryAfterSeconds: 1 }), { retry: true, delayMs: 5000 })
})

test('without pauses it is tried again at once', (t) => {
  t.deepEqual(nextAttempt({ retriesMax: 1, intervalsMs: [] }, 1, outage), { retry: true, delayMs: 0 })
})

test('a delay doubles up to its limit, and jitter spreads it over its second half', (t) => {
  const of = { firstMs: 100, lastMs: 400, jitter: 0 }
  t.deepEqual(
    [1, 2, 3, 4, 9].map((attempt) => retryDelayMs(attempt, of)),
    [50, 100, 200, 200, 200],
  )
  t.is(retryDelayMs(2, { ...of, jitter: 0.5 }), 150)
})

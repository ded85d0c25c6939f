import test from 'ava'

import { again, attempted, decide, isDue } from '../../actors/webhook/decide.ts'
import type { Webhook } from '../../actors/webhook/state.ts'
import { nowMs } from '../support/batch-builders.ts'
import { aBatchId, anOwner } from '../support/builders.ts'

const work = (round: number, attempt: number) => ({ owner: anOwner(), batchId: aBatchId(), round, attempt })
const failed = { attempt: { atMs: nowMs, error: 'It was away.' }, standing: 'waiting' } as const
const taken = { attempt: { atMs: nowMs, status: 200 }, standing: 'delivered' } as const

test('an attempt is made once, however often its message comes', (t) => {
  t.true(isDue(undefined, work(1, 1)))
  const once = attempted(undefined, work(1, 1), failed)
  t.false(isDue(once, work(1, 1)))
  t.true(isDue(once, work(1, 2)))
  t.is(attempted(once, work(1, 1), taken), once)
})

test('what was taken is not told again in the same round', (t) => {
  const webhook = attempted(attempted(undefined, work(1, 1), failed), work(1, 2), taken)
  t.deepEqual(webhook, { round: 1, standing: 'delivered', attempts: [failed.attempt, taken.attempt] })
  t.false(isDue(webhook, work(1, 3)))
})

test('a new round begins from nothing, and what is left of the old one comes to nothing', (t) => {
  const before: Webhook = { round: 1, standing: 'given_up', attempts: [failed.attempt] }
  const next = again(before)
  t.deepEqual(next, { round: 2, standing: 'waiting', attempts: [] })
  t.false(isDue(next, work(1, 2)))
  t.true(isDue(next, work(2, 1)))
  t.is(again(undefined).round, 2)
})

test('an attempt that failed owes the next one, also when its message comes again, and one that was taken is struck off', (t) => {
  const { state, effects } = decide(undefined, {
    type: 'Attempted',
    work: work(1, 1),
    outcome: { ...failed, delayMs: 700 },
  })
  const next = { type: 'EnqueueCall', round: 1, attempt: 2 } as const
  t.deepEqual(effects, [{ ...next, delayMs: 700 }])
  const repeated = decide(state, { type: 'Repeated', work: work(1, 1), delayMs: 500 })
  t.is(repeated.state, state)
  t.deepEqual(repeated.effects, [{ ...next, delayMs: 500 }])
  const last = decide(state, { type: 'Attempted', work: work(1, 2), outcome: { ...taken, delayMs: 0 } })
  t.deepEqual(last.effects, [{ type: 'StrikeOff' }])
  t.deepEqual(decide(last.state, { type: 'Repeated', work: work(1, 1), delayMs: 0 }).effects, [{ type: 'StrikeOff' }])
})

test('who asks for it again is owed the first call of a new round', (t) => {
  const { state, effects } = decide(undefined, { type: 'Resend' })
  t.is(state?.round, 2)
  t.deepEqual(effects, [{ type: 'EnqueueCall', round: 2, attempt: 1, delayMs: 0 }])
})

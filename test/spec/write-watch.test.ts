import test from 'ava'

import { away, terminal } from '../../actors/failure.ts'
import { watchWrites } from '../../infra/nats/connection/write-watch.ts'
import { aManualClock } from '../support/manual-clock.ts'

const isThere = () => false
const unanswered = () => Promise.reject(away('broker_unavailable', 'no answer'))

test('a stream that did not take a write is suspected until one goes through', async (t) => {
  const writes = watchWrites(aManualClock(), isThere)
  await t.throwsAsync(writes.watch('one', unanswered))
  await writes.watch('other', () => Promise.resolve())
  t.deepEqual(writes.suspects(), ['one'])
  t.is(await writes.watch('one', () => Promise.resolve(7)), 7)
  t.deepEqual(writes.suspects(), [])
})

test('a write that was answered, with whatever, makes nobody suspected', async (t) => {
  const writes = watchWrites(aManualClock(), isThere)
  await t.throwsAsync(writes.watch('one', () => Promise.reject(terminal('conflict', 'there is one'))))
  t.deepEqual(writes.suspects(), [])
})

test('what nobody writes to any more is not suspected for ever', async (t) => {
  const clock = aManualClock()
  const writes = watchWrites(clock, isThere)
  await t.throwsAsync(writes.watch('one', unanswered))
  clock.advance(59_999)
  t.deepEqual(writes.suspects(), ['one'])
  clock.advance(1)
  t.deepEqual(writes.suspects(), [])
})

test('a broker that cannot be reached makes none of its streams suspected', async (t) => {
  const writes = watchWrites(aManualClock(), () => true)
  await t.throwsAsync(writes.watch('one', unanswered))
  t.deepEqual(writes.suspects(), [])
})

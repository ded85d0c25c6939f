import test from 'ava'

import { watchLag } from '../../infra/timing/event-loop-lag.ts'
import { eventually } from '../support/eventually.ts'
import { aManualClock } from '../support/manual-clock.ts'

test('a process that did not get to its timers for over a second lags, until they come in time again', async (t) => {
  const clock = aManualClock()
  const lag = watchLag(clock)
  t.teardown(() => lag.close())
  t.false(lag.isLagging())
  clock.advance(1_100)
  t.false(lag.isLagging())
  clock.advance(200)
  t.true(lag.isLagging())
  await eventually('the next tick is in time', () => !lag.isLagging())
})

import test from 'ava'

import { tapBroker } from '../support/broker-tap.ts'
import { eventually } from '../support/eventually.ts'
import { aNatsServer } from '../support/nats.ts'
import { aPipeline } from '../support/pipeline.ts'

/** As in earnest: how often somebody is asked follows from these. */
const unhurried = { ACK_WAIT_MS: '30000', STALE_MS: '60000', SWEEP_MS: '30000' }
/** Longer than any of its rounds. */
const watchedSeconds = 32
const perSecond = { cluster: 10, worker: 5 }

test('with nothing to do a cluster says at most ten things a second, and five more for each worker', async (t) => {
  const nats = await aNatsServer(t)
  const { addWorker } = await aPipeline(t, nats, unhurried)
  for (const _ of [1, 2]) await addWorker()
  const tap = await tapBroker(await nats.connect())
  await eventually('all have said what one says at the start', () => tap.count('pulls') > 0)
  tap.reset()
  const beganMs = performance.now()
  await eventually('a while has passed', () => performance.now() - beganMs > watchedSeconds * 1000)
  const messages = tap.total()
  t.true(messages > 0, 'the tap sees what is said')
  t.true(messages <= watchedSeconds * (perSecond.cluster + 2 * perSecond.worker), `${messages} messages`)
})

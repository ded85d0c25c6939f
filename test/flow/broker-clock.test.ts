import { jetstreamManager } from '@nats-io/jetstream'
import test from 'ava'

import { watchAway } from '../../infra/nats/connection/away.ts'
import { openBrokerClock } from '../../infra/nats/connection/broker-clock.ts'
import { ensureTopology } from '../../infra/nats/topology/ensure.ts'
import { workStreams } from '../../infra/nats/topology/queue-names.ts'
import { topology } from '../../infra/nats/topology/topology.ts'
import { eventually } from '../support/eventually.ts'
import { aManualClock } from '../support/manual-clock.ts'
import { aNatsServer } from '../support/nats.ts'

/** Our clock stands still here while the broker’s does not: a busy machine makes that seconds, and no more is told apart. */
const nearMs = 20_000

test('the time is the broker’s whatever the wall clock here says, and is asked for again after a minute', async (t) => {
  const nats = await aNatsServer(t)
  const connection = await nats.connect()
  const jsm = await jetstreamManager(connection)
  await ensureTopology(jsm, topology({ replicas: 1, idempotencyHours: 1, ackWaitMs: 30_000 }))
  const isAway = watchAway(connection)
  const clock = aManualClock(0)
  const brokerTime = await openBrokerClock({ jsm, isAway, stream: workStreams.files.name, clock })
  // the broker of a test has the clock of this machine
  const errorMs = async (): Promise<number> => (await brokerTime()) - Date.now()
  t.true(Math.abs(await errorMs()) < nearMs)

  clock.advance(50_000)
  t.true(Math.abs((await errorMs()) - 50_000) < nearMs, 'it goes on by our clock')
  clock.advance(20_000)
  t.true(Math.abs(await errorMs()) < nearMs, 'it is asked for again')

  await nats.kill9()
  await eventually('it is away', isAway)
  clock.advance(70_000)
  t.true(Math.abs((await errorMs()) - 70_000) < nearMs, 'what is known will do while the broker is away')
})

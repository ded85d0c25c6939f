import test from 'ava'

import { startPulse } from '../../actors/worker/pulse.ts'
import type { WorkerPulse } from '../../actors/worker/state.ts'
import { createWaits } from '../../actors/worker/waits.ts'
import { eventually } from '../support/eventually.ts'
import { aLog } from '../support/log.ts'
import { aManualClock } from '../support/manual-clock.ts'
import { memoryRecords } from '../support/memory-records.ts'

test('who can work waits for nothing', (t) => {
  const waits = createWaits(aManualClock())
  const wait = waits.start('loading models')
  t.is(waits.current()?.what, 'loading models')
  wait.done()
  t.is(waits.current(), undefined)
})

test('what does not say how far it is lasts as long again as it has', (t) => {
  const clock = aManualClock()
  const waits = createWaits(clock)
  waits.start('loading models')
  clock.advance(7_000)
  t.deepEqual(waits.current(), { what: 'loading models', secondsLeft: 7 })
})

test('how long a fetch will take follows from how fast it is, not from what an earlier one left', (t) => {
  const clock = aManualClock()
  const waits = createWaits(clock)
  const wait = waits.start('fetching model a')
  wait.update(0.5)
  t.deepEqual(waits.current(), { what: 'fetching model a', percent: 50, secondsLeft: 30 }, 'not known yet')
  clock.advance(10_000)
  wait.update(0.75)
  t.deepEqual(waits.current(), { what: 'fetching model a', percent: 75, secondsLeft: 10 })
  clock.advance(10_000)
  t.is(waits.current()?.secondsLeft, 20, 'nothing came since')
})

test('of several the one is named that takes longest', (t) => {
  const clock = aManualClock()
  const waits = createWaits(clock)
  waits.start('loading models')
  const [quick, slow] = [waits.start('fetching model a'), waits.start('fetching model b')]
  for (const wait of [quick, slow]) wait.update(0)
  clock.advance(10_000)
  quick.update(0.9)
  slow.update(0.1)
  t.is(waits.current()?.what, 'fetching model b')
  slow.fail()
  t.is(waits.current()?.what, 'fetching model a')
})

test('time in which several things are waited for passes once', (t) => {
  const clock = aManualClock()
  const waits = createWaits(clock)
  clock.advance(5_000)
  const [one, other] = [waits.start('a'), waits.start('b')]
  clock.advance(1_000)
  one.done()
  clock.advance(1_000)
  other.done()
  clock.advance(5_000)
  t.is(waits.waitedMs(), 2_000)
})

test('a worker tells at once what it waits for, and that it no longer does', async (t) => {
  const workers = memoryRecords<WorkerPulse>()
  const waits = createWaits(aManualClock())
  const told = async (): Promise<WorkerPulse | undefined> => (await workers.read('one'))?.value
  const read = (): WorkerPulse => {
    const waitingFor = waits.current()
    return { mode: 'both', ...(waitingFor && { waitingFor }) }
  }
  const pulse = startPulse({ workers, workerId: 'one', log: aLog(), read })
  t.teardown(() => pulse.stop())
  await eventually('the first pulse', told)
  const wait = waits.start('fetching model a')
  wait.update(0)
  await eventually('it is told', async () => (await told())?.waitingFor?.what === 'fetching model a')
  wait.done()
  t.true(await eventually('it is over', async () => (await told())?.waitingFor === undefined))
})

import test from 'ava'

import type { Clock } from '../../actors/ports.ts'
import { createLease } from '../../actors/sweep/lease.ts'
import type { LeaseRecord } from '../../actors/sweep/lease.ts'
import { aManualClock } from '../support/manual-clock.ts'
import { memoryRecords } from '../support/memory-records.ts'

const key = 'sweeper'
const leaseMs = 1000
const hourMs = 3_600_000

/** Two who want it, on machines whose clocks differ by hours. */
function aScene() {
  const leases = memoryRecords<LeaseRecord>()
  const clock = aManualClock()
  const wrong: Clock = { nowMs: () => clock.nowMs() - 5 * hourMs, elapsedMs: () => clock.elapsedMs() + 7 * hourMs }
  const one = createLease({ leases, clock }, { key, holder: 'one', leaseMs })
  const two = createLease({ leases, clock: wrong }, { key, holder: 'two', leaseMs })
  return { leases, clock, one, two }
}

test('one holds it for as long as they renew it, whatever the clocks of others say', async (t) => {
  const { clock, one, two } = aScene()
  t.true(await one.hold())
  for (let round = 0; round < 10; round += 1) {
    t.false(await two.hold())
    clock.advance(leaseMs - 1)
    t.true(await one.hold())
  }
})

test('who does not renew it any more is followed by another, and does not have it when they come back', async (t) => {
  const { clock, one, two } = aScene()
  await one.hold()
  t.false(await two.hold())
  clock.advance(leaseMs - 1)
  t.false(await two.hold())
  clock.advance(1)
  t.true(await two.hold())
  t.false(await one.hold())
})

test('who gives it back makes nobody wait, and takes it from nobody', async (t) => {
  const { one, two } = aScene()
  await one.hold()
  await two.release()
  t.false(await two.hold())
  await one.release()
  t.true(await two.hold())
})

test('of many who want it at once one has it', async (t) => {
  const { leases, clock } = aScene()
  const all = Array.from({ length: 5 }, (_, at) =>
    createLease({ leases, clock }, { key, holder: `worker ${at}`, leaseMs }),
  )
  const held = await Promise.all(all.map((lease) => lease.hold()))
  t.is(held.filter(Boolean).length, 1)
})

import test from 'ava'

import { openBacklog } from '../../actors/batch/backlog.ts'
import { openKey } from '../../actors/batch/state.ts'
import type { BatchRecord, BatchState, OpenBatch } from '../../actors/batch/state.ts'
import type { Records } from '../../actors/ports.ts'
import type { Backlog } from '../../actors/services.ts'
import type { WorkerPulse } from '../../actors/worker/state.ts'
import { batchOf } from '../support/batches.ts'
import { aBatchId, anOwner } from '../support/builders.ts'
import { eventually } from '../support/eventually.ts'
import { aLog } from '../support/log.ts'
import { aManualClock } from '../support/manual-clock.ts'
import type { ManualClock } from '../support/manual-clock.ts'
import { memoryRecords } from '../support/memory-records.ts'

interface Scene {
  readonly backlog: Backlog
  readonly clock: ManualClock
  readonly workers: Records<WorkerPulse>
  readonly looks: () => number
  /** From here on the records cannot be looked at. */
  readonly leave: () => void
  readonly open: (batch: BatchState) => Promise<void>
}

/** `costMs`: how long it takes to look at the records. */
function aScene(costMs = 0): Scene {
  const [batches, open] = [memoryRecords<BatchRecord>(), memoryRecords<OpenBatch>()]
  const workers = memoryRecords<WorkerPulse>()
  const clock = aManualClock()
  let looks = 0
  let isAway = false
  const counted = {
    async keys() {
      looks += 1
      clock.advance(costMs)
      if (isAway) throw new Error('away')
      return open.keys()
    },
  }
  return {
    backlog: openBacklog({ open: counted, batches, workers, clock, log: aLog() }),
    clock,
    workers,
    looks: () => looks,
    leave: () => {
      isAway = true
    },
    async open(batch) {
      await open.create(openKey(batch), { owner: batch.owner, batchId: batch.batchId })
      await batches.create(batch.batchId, batch)
    },
  }
}

const queued = (files: number): BatchState =>
  batchOf(
    anOwner('b'),
    Array.from({ length: files }, () => ({ stage: 'queued' })),
  )
const work = (files: number) => ({ owner: anOwner('a'), batchId: aBatchId(), files, seconds: files * 10 })

test('the queue is what is open and not settled', async (t) => {
  const { backlog, open, workers } = aScene()
  await open(queued(3))
  await open(batchOf(anOwner('c'), [{ stage: 'completed' }, { stage: 'running' }]))
  await workers.create('one', { mode: 'both', heardPerSecond: 5 })
  t.is(await backlog.files(), 4)
  t.is(await backlog.secondsUntilIdle(anOwner('b')), (30 + 10) / 5)
})

test('it is looked at once for all who ask within two seconds, and again after that', async (t) => {
  const { backlog, open, clock, looks } = aScene()
  await Promise.all([backlog.files(), backlog.files(), backlog.secondsUntilRoom(1)])
  await open(queued(3))
  clock.advance(1_999)
  t.is(await backlog.files(), 0)
  t.is(looks(), 1)
  clock.advance(20_000)
  t.is(await backlog.files(), 3, 'what is too old is not shown')
  t.is(looks(), 2)
})

test('who must know what is true now has it looked at, and half of the time at most goes into that', async (t) => {
  const { backlog, open, clock, looks } = aScene(500)
  await backlog.files()
  await open(queued(3))
  await backlog.lookAgain()
  t.is(await backlog.files(), 0, 'it was looked at just now')
  clock.advance(500)
  await backlog.lookAgain()
  t.is(await backlog.files(), 3)
  t.is(looks(), 2)
})

test('nobody waits for a look as long as the last one is not too old', async (t) => {
  const { backlog, open, clock, looks } = aScene()
  await backlog.files()
  await open(queued(3))
  clock.advance(3_000)
  t.is(await backlog.files(), 0)
  t.is(looks(), 2)
  t.true(await eventually('the look has ended', async () => (await backlog.files()) === 3))
})

test('looking takes no more than a twentieth of the time', async (t) => {
  const { backlog, clock, looks } = aScene(500)
  await backlog.files()
  clock.advance(9_999)
  await backlog.files()
  t.is(looks(), 1)
  clock.advance(2)
  await backlog.files()
  t.is(looks(), 2)
})

test('what is taken in counts at once, and not twice when the records have it', async (t) => {
  const { backlog, open, clock } = aScene()
  await backlog.files()
  const batch = queued(3)
  backlog.add({ ...work(3), batchId: batch.batchId, owner: batch.owner })
  t.is(await backlog.files(), 3)
  await open(batch)
  clock.advance(60_000)
  t.is(await backlog.files(), 3)
})

test('what was taken in and is not in the records at the next look is finished', async (t) => {
  const { backlog, clock } = aScene()
  backlog.add(work(3))
  t.is(await backlog.files(), 3)
  clock.advance(60_000)
  t.is(await backlog.files(), 0)
})

test('what was not accepted after all is taken out again', async (t) => {
  const { backlog } = aScene()
  const one = work(3)
  backlog.add(one)
  backlog.drop(one.batchId)
  t.is(await backlog.files(), 0)
})

test('what was known is good enough when the records cannot be looked at', async (t) => {
  const { backlog, open, clock, leave } = aScene()
  await open(queued(3))
  await backlog.files()
  leave()
  for (const ms of [3_000, 60_000]) {
    clock.advance(ms)
    t.is(await backlog.files(), 3)
  }
})

test('a queue that nobody could ever look at is not taken to be empty', async (t) => {
  const { backlog, leave } = aScene()
  leave()
  await t.throwsAsync(backlog.files(), { message: 'away' })
})

import test from 'ava'

import { openBacklog } from '../../actors/batch/backlog.ts'
import { openKey } from '../../actors/batch/state.ts'
import type { BatchOrder, BatchRecord, Member, Members, OpenBatch, WaitingBatch } from '../../actors/batch/state.ts'
import type { Quota } from '../../actors/quota/state.ts'
import { openBatches } from '../../actors/batch/submit.ts'
import { FailureError, away } from '../../actors/failure.ts'
import type { FaultPoint } from '../../actors/fault-points.ts'
import type { Faults } from '../../actors/ports.ts'
import type { Reports } from '../../actors/run/ports.ts'
import type { Batches } from '../../actors/services.ts'
import type { WorkerPulse } from '../../actors/worker/state.ts'
import { aBatchListing } from '../support/batch-listing.ts'
import { aBatchId, aFileId, anOwner } from '../support/builders.ts'
import { aLog } from '../support/log.ts'
import { aManualClock } from '../support/manual-clock.ts'
import { memoryRecords } from '../support/memory-records.ts'

const limits = { queueMaxFiles: 1000, quotaFiles: 300, quotaAudioSeconds: 0 }

function aScene(given: { toBatch?: Reports['toBatch']; faults?: Faults } = {}) {
  const records = {
    batches: memoryRecords<BatchRecord>(),
    members: memoryRecords<Members>(),
    open: memoryRecords<OpenBatch>(),
    waiting: memoryRecords<WaitingBatch>(),
    quotas: memoryRecords<Quota>(),
    batchListing: aBatchListing(),
  }
  const [clock, log] = [aManualClock(), aLog()]
  const backlog = openBacklog({ ...records, workers: memoryRecords<WorkerPulse>(), clock, log })
  const told: unknown[] = []
  const reports = {
    toBatch:
      given.toBatch ??
      ((...words: unknown[]) => {
        told.push(words)
        return Promise.resolve()
      }),
  }
  const faults = given.faults ?? { point: () => Promise.resolve() }
  const batches: Batches = openBatches({ ...records, reports, backlog, clock, faults, log }, limits)
  return { batches, records, backlog, told, log }
}

const aMember = (): Member => ({
  fileId: aFileId(),
  filename: 'a.wav',
  source: { type: 'upload', key: 'uploads/a' },
  estimatedSeconds: 10,
})

function anOrder(files: number, owner = anOwner()): BatchOrder {
  const members = Array.from({ length: files }, aMember)
  return { batchId: aBatchId(), owner, settings: { script: 'native', channels: 'mix' }, members }
}

test('the open entry is the first and the batch record the last that is written, and the batch is woken after it', async (t) => {
  const seen: string[] = []
  const order = anOrder(101)
  const scene = aScene({
    faults: {
      async point(at) {
        const { batches, members, open, quotas } = scene.records
        const counts = [
          (await quotas.keys()).length,
          (await members.keys()).length,
          (await open.keys()).length,
          (await batches.keys()).length,
          scene.told.length,
        ]
        seen.push(`${at} ${counts.join()}`)
      },
    },
  })
  await scene.batches.submit(order)
  t.deepEqual(seen, [
    'submit.after-open 0,0,1,0,0',
    'submit.after-quota 1,0,1,0,0',
    'submit.after-members 1,2,1,0,0',
    'submit.after-batch 1,2,1,1,0',
    'submit.after-wake 1,2,1,1,1',
  ])
  const { owner, batchId } = order
  t.deepEqual(scene.told, [[{ owner, batchId }, { type: 'Wake' }, `submitted:${batchId}`]])
})

test('a batch whose wake-up cannot be sent is accepted all the same', async (t) => {
  const { batches, records, log } = aScene({ toBatch: () => Promise.reject(away('broker_unavailable', 'away')) })
  const order = anOrder(1)
  const { batch } = await batches.submit(order)
  t.deepEqual((await records.batches.read(order.batchId))?.value, batch)
  t.is(log.lines.filter(({ level }) => level === 'warn').length, 1)
})

test('a submission that fails no longer counts in the queue', async (t) => {
  const { batches, backlog } = aScene({
    faults: { point: (at) => (at === 'submit.after-members' ? Promise.reject(new Error('no')) : Promise.resolve()) },
  })
  await t.throwsAsync(batches.submit(anOrder(5)))
  t.is(await backlog.files(), 0)
})

const withdrawn = test.macro(async (t, withdrawnAt: FaultPoint) => {
  const order = anOrder(101)
  const scene = aScene({
    faults: {
      async point(at) {
        if (at === withdrawnAt) t.is(await scene.batches.withdraw(order), undefined)
      },
    },
  })
  const error = await t.throwsAsync(scene.batches.submit(order), { instanceOf: FailureError })
  t.is(error.failure.code, 'conflict')
  t.deepEqual(await scene.records.batches.keys(), [])
  t.deepEqual(await scene.records.members.keys(), [])
  t.deepEqual(await scene.records.open.keys(), [])
  t.deepEqual(await scene.records.waiting.keys(), [])
  t.deepEqual((await scene.records.quotas.read(order.owner))?.value, { reserved: {} })
  t.is(await scene.batches.withdraw(order), undefined, 'twice is as good as once')
})

for (const point of ['submit.after-open', 'submit.after-quota', 'submit.after-members'] as const)
  test(`a submission that is withdrawn at ${point} cannot come any more, and nothing of it is left`, withdrawn, point)

test('a submission that is refused leaves nothing', async (t) => {
  const { batches, records } = aScene()
  const error = await t.throwsAsync(batches.submit(anOrder(301)), { instanceOf: FailureError })
  t.is(error.failure.code, 'beyond_quota')
  t.deepEqual(await records.open.keys(), [])
  t.deepEqual(await records.waiting.keys(), [])
})

test('a submission that does not know whether it reserved something leaves its open entry to the sweeper', async (t) => {
  const order = anOrder(1)
  const scene = aScene()
  scene.records.quotas.read = () => Promise.reject(away('broker_unavailable', 'away'))
  await t.throwsAsync(scene.batches.submit(order))
  t.deepEqual(await scene.records.open.keys(), [openKey(order)])
})

test('a batch that was accepted cannot be withdrawn', async (t) => {
  const { batches, records } = aScene()
  const order = anOrder(2)
  const { batch } = await batches.submit(order)
  t.deepEqual(await batches.withdraw(order), batch)
  t.truthy(await records.open.read(openKey(order)))
  t.is((await records.members.keys()).length, 1)
})

test('a reservation of which neither a batch nor an open entry is left lapses', async (t) => {
  const { batches, records } = aScene()
  const owner = anOwner('q')
  await records.quotas.create(owner, { reserved: { [aBatchId()]: { files: 300, seconds: 1 } } })
  await t.notThrowsAsync(batches.submit(anOrder(1, owner)))
})

test('a reservation whose batch may still come is left alone', async (t) => {
  const { batches, records } = aScene()
  const owner = anOwner('q')
  const { batch } = await batches.submit(anOrder(300, owner))
  const error = await t.throwsAsync(batches.submit(anOrder(1, owner)), { instanceOf: FailureError })
  t.like(error.failure, { kind: 'retryable', code: 'quota_exceeded' })
  t.deepEqual(Object.keys((await records.quotas.read(owner))!.value.reserved), [batch.batchId])
})

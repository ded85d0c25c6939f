import test from 'ava'

import { openBacklog } from '../../actors/batch/backlog.ts'
import type { BeginPorts } from '../../actors/batch/begin.ts'
import { openKey } from '../../actors/batch/state.ts'
import type { BatchOrder } from '../../actors/batch/protocol.ts'
import type { BatchRecord, Member, Members, OpenBatch, WaitingBatch } from '../../actors/batch/state.ts'
import type { Quota } from '../../actors/quota/state.ts'
import { openBatches } from '../../actors/batch/submit.ts'
import { FailureError, away } from '../../actors/failure.ts'
import type { FaultPoint } from '../../actors/fault-points.ts'
import type { Faults } from '../../actors/ports.ts'
import { runKey } from '../../actors/ids.ts'
import type { Reports, RunWork } from '../../actors/run/ports.ts'
import type { RunState } from '../../actors/run/state.ts'
import type { Batches } from '../../actors/services.ts'
import type { UploadedFile } from '../../actors/upload/state.ts'
import type { WorkerPulse } from '../../actors/worker/state.ts'
import { aBatchListing } from '../support/batch-listing.ts'
import { aBatchId, aFile, aFileId, anOwner } from '../support/builders.ts'
import { aLog } from '../support/log.ts'
import { aManualClock } from '../support/manual-clock.ts'
import { aMemoryStorage } from '../support/memory-blobs.ts'
import { memoryRecords } from '../support/memory-records.ts'

const limits = { queueMaxFiles: 1000, quotaFiles: 300, quotaAudioSeconds: 0 }

interface Given {
  readonly toBatch?: Reports['toBatch']
  readonly faults?: Faults
  readonly issuing?: BeginPorts['issuing']
}

function aScene(given: Given = {}) {
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
  const storage = aMemoryStorage()
  const issuing = given.issuing && { issuing: given.issuing }
  const batches: Batches = openBatches(
    { ...records, ...issuing, blobs: storage.blobs, reports, backlog, clock, faults, log },
    limits,
  )
  return { batches, records, storage, backlog, told, log }
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
  const order = { ...anOrder(101), questions: ['Who?'] }
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
  t.deepEqual([...scene.storage.keys()], [])
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

/** What who submits has to issue the only file of a batch. */
async function anIssuing(order: BatchOrder, { isThere = true, isAway = false } = {}) {
  const runs = memoryRecords<RunState>()
  const files = memoryRecords<UploadedFile>()
  const enqueued: RunWork[] = []
  const issuing: BeginPorts['issuing'] = {
    runs,
    files,
    fileQueue: {
      async enqueue(work) {
        if (isAway) throw away('broker_unavailable', 'away')
        enqueued.push(work)
      },
    },
    reports: { toFile: () => Promise.reject(new Error('nobody has it yet')) },
    clock: aManualClock(),
    faults: { point: () => Promise.resolve() },
  }
  for (const { fileId } of order.members) await files.create(fileId, aFile(isThere ? 'completed' : 'purging'))
  return { issuing, runs, enqueued }
}

function onlyRun({ owner, batchId, members: [only] }: BatchOrder) {
  return { owner, batchId, fileId: only!.fileId, index: 0 }
}

test('the only file of a batch is issued by who submits it, with what its worker will write, and nobody is woken', async (t) => {
  const order = anOrder(1)
  const { issuing, runs, enqueued } = await anIssuing(order)
  const { batches, records, told } = aScene({ issuing })
  const { batch } = await batches.submit(order)
  const ref = onlyRun(order)
  t.like((await runs.read(runKey(ref)))?.value, { ...ref, isOnly: true, isTied: true, progress: { phase: 'queued' } })
  const { revision } = (await records.batches.read(order.batchId))!
  const listHead = records.batchListing.lastHead(order.owner)
  t.truthy(listHead)
  t.deepEqual(enqueued, [{ ...ref, step: 'plan', attempt: 1, sent: { batch: { value: batch, revision }, listHead } }])
  t.deepEqual(told, [])
})

for (const [what, words] of [
  ['a name', { name: 'Consultation' }],
  ['an address', { callbackUrl: 'https://example.org/' }],
  ['headers', { callbackHeaders: { Authorization: 'Bearer x' } }],
  ['metadata', { metadata: { patient: 'Asha' } }],
  ['words', { settings: { script: 'native', channels: 'mix', hotwords: ['Vaak'] } }],
] as const)
  test(`a batch that its user gave ${what} is not in the message of its file`, async (t) => {
    const order = { ...anOrder(1), ...words }
    const { issuing, enqueued } = await anIssuing(order)
    await aScene({ issuing }).batches.submit(order)
    t.deepEqual(Object.keys(enqueued[0]?.sent ?? {}), ['listHead'])
  })

for (const [what, given] of [
  ['was deleted meanwhile', { isThere: false }],
  ['cannot be enqueued', { isAway: true }],
] as const)
  test(`the only file of a batch that ${what} is left to who is woken`, async (t) => {
    const order = anOrder(1)
    const { issuing, enqueued } = await anIssuing(order, given)
    const { batches, told } = aScene({ issuing })
    const { owner, batchId } = (await batches.submit(order)).batch
    t.deepEqual(enqueued, [])
    t.deepEqual(told, [[{ owner, batchId }, { type: 'Wake' }, `submitted:${batchId}`]])
  })

test('of several files none is issued by who submits them', async (t) => {
  const order = anOrder(2)
  const { issuing, runs } = await anIssuing(order)
  const { batches, told } = aScene({ issuing })
  await batches.submit(order)
  t.deepEqual(await runs.keys(), [])
  t.is(told.length, 1)
})

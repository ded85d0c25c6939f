import test from 'ava'

import { admitMeasured } from '../../actors/batch/measured.ts'
import { release, reserve } from '../../actors/batch/quota.ts'
import { moveToPages, roomInRecord } from '../../actors/batch/quota-pages.ts'
import type { BatchRecord, OpenBatch } from '../../actors/batch/state.ts'
import type { Quota } from '../../actors/quota/state.ts'
import { commit } from '../../actors/durable-actor.ts'
import { FailureError, sentenceOf } from '../../actors/failure.ts'
import type { BatchId } from '../../actors/ids.ts'
import type { Records } from '../../actors/ports.ts'
import { aBatch, nowMs } from '../support/batch-builders.ts'
import { aBatchId, anOwner } from '../support/builders.ts'
import { memoryRecords } from '../support/memory-records.ts'

const owner = anOwner('q')
const share = { files: 1, seconds: 2 }
/** More than one record ever had room for. */
const manyBatches = 10_000

function aScene() {
  const ports = {
    quotas: memoryRecords<Quota>(),
    batches: memoryRecords<BatchRecord>(),
    open: memoryRecords<OpenBatch>(),
    backlog: { secondsUntilIdle: () => Promise.resolve(60) },
  }
  return {
    ports,
    /** As if each had come by itself, and much faster. */
    fill: async (batchIds: readonly BatchId[]) => {
      for (const batchId of batchIds) await ports.batches.create(batchId, aBatch({ batchId, owner, total: 1 }))
      for (let from = 0; from < batchIds.length; from += roomInRecord) {
        const reserved = Object.fromEntries(batchIds.slice(from, from + roomInRecord).map((id) => [id, share]))
        await commit(ports.quotas, owner, (quota) => ({ state: { ...quota, reserved }, effects: [] }))
        await moveToPages(ports.quotas, owner)
      }
    },
    /** For a batch that has not ended. */
    take: async (quotaFiles: number, batchId: BatchId = aBatchId()) => {
      await ports.batches.create(batchId, aBatch({ batchId, owner, total: 1 }))
      await reserve(ports, { quotaFiles, quotaAudioSeconds: 0 }, { owner, batchId, ...share })
    },
  }
}

/** Every share that is kept, as often as it is. */
async function reservedIn(quotas: Records<Quota>): Promise<string[]> {
  const all = await quotas.readMany(await quotas.keys())
  return [...all.values()].flatMap(({ reserved }) => Object.keys(reserved)).sort()
}

test('ten thousand open batches of one user fit, the next one is admitted, and the limit is still exact', async (t) => {
  const { ports, take, fill } = aScene()
  const batchIds = Array.from({ length: manyBatches }, () => aBatchId())
  await fill(batchIds)
  t.deepEqual(await reservedIn(ports.quotas), batchIds.toSorted())
  await t.notThrowsAsync(take(manyBatches + 1))
  const error = await t.throwsAsync(take(manyBatches + 1), { instanceOf: FailureError })
  t.is(error.failure.code, 'quota_exceeded')
  t.regex(sentenceOf(error.failure), /10002 of your files .* your quota is 10001 files/)

  await release(ports.quotas, { owner, batchId: batchIds[0]! })
  await release(ports.quotas, { owner, batchId: batchIds[0]! })
  await t.notThrowsAsync(take(manyBatches + 1))
  await t.throwsAsync(take(manyBatches + 1), { instanceOf: FailureError })
})

test('what has ended lapses also from a page', async (t) => {
  const { ports, take, fill } = aScene()
  const batchIds = Array.from({ length: 2 * roomInRecord }, () => aBatchId())
  await fill(batchIds)
  const stored = (await ports.batches.read(batchIds[0]!))!
  await ports.batches.replace(batchIds[0]!, { ...stored.value, finishedAtMs: nowMs }, stored.revision)
  await t.notThrowsAsync(take(batchIds.length))
  await t.throwsAsync(take(batchIds.length), { instanceOf: FailureError })
})

test('many who take and give back at once, while batches move to pages, leave nothing and lose nothing', async (t) => {
  const { ports, take } = aScene()
  const batchIds = Array.from({ length: 3 * roomInRecord }, () => aBatchId())
  const ended = new Set(batchIds.filter((_, at) => at % 3 !== 0))
  const end = async (batchId: BatchId): Promise<void> => {
    const stored = (await ports.batches.read(batchId))!
    await ports.batches.replace(batchId, { ...stored.value, finishedAtMs: nowMs }, stored.revision)
    await release(ports.quotas, { owner, batchId })
  }
  for (let from = 0; from < batchIds.length; from += 8)
    await Promise.all([
      ...batchIds.slice(from, from + 8).map((batchId) => take(10 * batchIds.length, batchId)),
      ...batchIds.slice(Math.max(0, from - 8), from).flatMap((id) => (ended.has(id) ? [end(id)] : [])),
    ])
  await Promise.all(batchIds.slice(-8).flatMap((batchId) => (ended.has(batchId) ? [end(batchId)] : [])))
  const open = batchIds.filter((batchId) => !ended.has(batchId))
  t.deepEqual(await reservedIn(ports.quotas), open.toSorted())
  await t.notThrowsAsync(take(open.length + 1))
  await t.throwsAsync(take(open.length + 1), { instanceOf: FailureError })
})

test('who dies between a page and the record of the user leaves what the next one finishes', async (t) => {
  const { ports, take } = aScene()
  const batchIds = Array.from({ length: roomInRecord }, () => aBatchId())
  for (const batchId of batchIds.slice(1)) await take(1000, batchId)
  const replace = ports.quotas.replace.bind(ports.quotas)
  let writes = 0
  ports.quotas.replace = (key, value, revision) => {
    if (key === owner) writes += 1
    // the first admits, the second would say what is in the pages
    return key === owner && writes === 2 ? Promise.reject(new Error('died')) : replace(key, value, revision)
  }
  await t.throwsAsync(take(1000, batchIds[0]), { message: 'died' })
  const next = aBatchId()
  await t.notThrowsAsync(take(1000, next))
  t.deepEqual(await reservedIn(ports.quotas), [...batchIds, next].toSorted())
  await t.throwsAsync(take(roomInRecord + 1), { instanceOf: FailureError })
  await t.notThrowsAsync(take(roomInRecord + 2))
})

test('what a recording has beyond its header is taken once, refused with both lengths, and given back with its batch', async (t) => {
  const { ports } = aScene()
  const batchId = aBatchId()
  await ports.batches.create(batchId, aBatch({ batchId, owner, total: 2 }))
  const limits = { quotaFiles: 0, quotaAudioSeconds: 100 }
  await reserve(ports, limits, { owner, batchId, files: 2, seconds: 20 })
  const measured = (index: number, seconds: number): Promise<void> =>
    admitMeasured(ports, limits, { owner, batchId, index, estimatedSeconds: 10, seconds })
  for (let times = 0; times < 3; times += 1) await t.notThrowsAsync(measured(0, 60))
  const error = await t.throwsAsync(measured(1, 61), { instanceOf: FailureError })
  t.is(error.failure.code, 'quota_exceeded')
  t.regex(sentenceOf(error.failure), /has 61 seconds, and was taken for 10 .* recording 121 seconds .* 100 seconds/)
  await t.notThrowsAsync(measured(1, 40))
  await release(ports.quotas, { owner, batchId })
  t.deepEqual(await reservedIn(ports.quotas), [])
})

test('many recordings that were longer than told move to pages with their batch, and leave them with it', async (t) => {
  const { ports, take } = aScene()
  const batchId = aBatchId()
  await take(1000, batchId)
  const limits = { quotaFiles: 0, quotaAudioSeconds: 100_000 }
  for (let index = 0; index < 2 * roomInRecord; index += 1)
    await admitMeasured(ports, limits, { owner, batchId, index, estimatedSeconds: 1, seconds: 2 })
  t.true((await ports.quotas.keys()).length > 1)
  await t.throwsAsync(
    admitMeasured(
      ports,
      { ...limits, quotaAudioSeconds: 2 * roomInRecord },
      { owner, batchId, index: 9999, estimatedSeconds: 1, seconds: 2 },
    ),
    { instanceOf: FailureError },
  )
  await release(ports.quotas, { owner, batchId })
  t.deepEqual(await reservedIn(ports.quotas), [])
})

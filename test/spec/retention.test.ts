import test from 'ava'

import { membersKey, openKey } from '../../actors/batch/state.ts'
import type { BatchRecord, BatchState, Members, OpenBatch, WaitingBatch } from '../../actors/batch/state.ts'
import { enterExpiries } from '../../actors/batch/expiries.ts'
import { enterWaiting, pagesByStretch } from '../../actors/batch/waiting.ts'
import { chunkAudioKey, passagesKey, runKey, transcriptKey } from '../../actors/ids.ts'
import type { RunRef } from '../../actors/ids.ts'
import type { Purge } from '../../actors/purge/state.ts'
import { createRetaining } from '../../actors/retention/retention.ts'
import type { RetentionPorts } from '../../actors/retention/retention.ts'
import { msPerDay } from '../../actors/retention/state.ts'
import type { Expiry, Retention, RetentionPlace } from '../../actors/retention/state.ts'
import type { RunState } from '../../actors/run/state.ts'
import type { UploadedFile } from '../../actors/upload/state.ts'
import { aBatch, aRun, someChunks } from '../support/batch-builders.ts'
import { aFile } from '../support/builders.ts'
import { aManualClock } from '../support/manual-clock.ts'
import { aMemoryStorage } from '../support/memory-blobs.ts'
import { memoryRecords } from '../support/memory-records.ts'

const forever: Retention = { audio: 0, results: 0, records: 0 }

/** The broker has the time; whoever applies it has a clock that is wrong by years. */
function aScene() {
  const broker = aManualClock()
  const nowMs = (): number => broker.nowMs()
  const storage = aMemoryStorage()
  const rests: number[] = []
  const ports: RetentionPorts = {
    batches: memoryRecords<BatchRecord>(nowMs),
    members: memoryRecords<Members>(nowMs),
    waiting: memoryRecords<WaitingBatch>(nowMs),
    runs: memoryRecords<RunState>(nowMs),
    files: memoryRecords<UploadedFile>(nowMs),
    purges: memoryRecords<Purge>(nowMs),
    expiries: memoryRecords<Expiry>(nowMs),
    retentionPlaces: memoryRecords<RetentionPlace>(nowMs),
    blobs: storage.blobs,
    clock: aManualClock(Date.UTC(1999, 0, 1)),
    lease: { hold: () => Promise.resolve(true), release: () => Promise.resolve() },
    pause: async (ms) => void rests.push(ms),
  }
  return { broker, storage, ports, rests }
}

/** One uploaded file in one batch that has ended, with everything that it left. */
async function aTranscription(ports: RetentionPorts, given: Partial<BatchState> = {}) {
  const file = aFile('completed')
  const batch = aBatch({ total: 1, finishedAtMs: 1, owner: file.owner, ...given })
  const { owner, batchId } = batch
  const ref: RunRef = { owner, batchId, fileId: file.fileId, index: 0 }
  const chunks = someChunks({ total: 1 })
  const run = aRun({ phase: 'finished', outcome: 'completed', attempt: 1, finishedAtMs: 1, errors: [], chunks })
  const member = { ...run, fileId: file.fileId }
  await ports.files.create(file.fileId, file)
  await ports.members.create(membersKey(batchId, 0), { files: [member] })
  await ports.runs.create(runKey(ref), { ...run, ...ref })
  await ports.batches.create(batchId, batch)
  for (const key of [chunkAudioKey(ref, 0), transcriptKey(ref), passagesKey(ref)])
    await ports.blobs.put(key, { bytes: Buffer.from('x') })
  return { file, batch, ref }
}

test('without any setting everything stays', async (t) => {
  const { ports, broker, storage } = aScene()
  await aTranscription(ports)
  broker.advance(10_000 * msPerDay)
  await createRetaining(ports, forever).apply()
  t.deepEqual(await ports.purges.keys(), [])
  t.is(storage.keys().length, 3)
})

test('a batch that ended long enough ago is promised to be deleted, and no other', async (t) => {
  const { ports, broker } = aScene()
  const { batch, file } = await aTranscription(ports)
  const { finishedAtMs: _, ...open } = aBatch({ total: 1 })
  await ports.batches.create(open.batchId, open)
  broker.advance(msPerDay)
  await aTranscription(ports)
  const retaining = createRetaining(ports, { ...forever, records: msPerDay })
  await retaining.apply()
  t.deepEqual(await ports.purges.keys(), [], 'a day has to be over')
  broker.advance(1)
  await retaining.apply()
  t.deepEqual(await ports.purges.keys(), [batch.batchId])
  const { owner, batchId } = batch
  t.deepEqual((await ports.purges.read(batchId))?.value, { owner, batchId, fileIds: [file.fileId] })
})

test('a recording goes when its time is over, and what was understood of it stays', async (t) => {
  const { ports, broker, storage } = aScene()
  const { file, ref } = await aTranscription(ports)
  broker.advance(msPerDay + 1)
  await createRetaining(ports, { ...forever, audio: msPerDay }).apply()
  const { owner, fileId } = file
  t.deepEqual((await ports.purges.read(fileId))?.value, { owner, fileIds: [fileId], audioOnly: true })
  t.deepEqual(storage.keys(), [transcriptKey(ref), passagesKey(ref)])
})

test('what cannot be ended keeps nothing else from ending, is told, and is tried again', async (t) => {
  const { ports, broker, storage } = aScene()
  const [stuck, other] = [await aTranscription(ports), await aTranscription(ports)]
  broker.advance(msPerDay + 1)
  let isMended = false
  const removeAll = (prefix: string): Promise<number> =>
    !isMended && prefix.includes(stuck.ref.fileId)
      ? Promise.reject(new Error('not ours to remove'))
      : ports.blobs.removeAll(prefix)
  const held = { ...ports, blobs: { ...ports.blobs, removeAll } }
  const apply = () => createRetaining(held, { audio: 0, results: msPerDay, records: msPerDay }).apply()
  await t.throwsAsync(apply(), { message: 'not ours to remove' })
  t.false(storage.keys().includes(transcriptKey(other.ref)))
  t.deepEqual((await ports.purges.keys()).toSorted(), [stuck.batch.batchId, other.batch.batchId].toSorted())
  isMended = true
  await apply()
  t.false(storage.keys().includes(transcriptKey(stuck.ref)))
  t.deepEqual(
    (await ports.retentionPlaces.keys()).filter((key) => key.includes(stuck.ref.fileId)),
    [],
  )
})

test('a recording that an open batch needs stays until that has ended', async (t) => {
  const { ports, broker } = aScene()
  const { file } = await aTranscription(ports)
  const { owner, fileId } = file
  const { finishedAtMs: _, ...open } = aBatch({ total: 1, owner })
  const member = { ...aRun({ phase: 'queued' }), fileId }
  await ports.members.create(membersKey(open.batchId, 0), { files: [member] })
  await ports.batches.create(open.batchId, open)
  const waiting = memoryRecords<OpenBatch>()
  await waiting.create(openKey(open), open)
  await enterWaiting(ports, open, pagesByStretch([member]))
  broker.advance(msPerDay + 1)
  const retaining = createRetaining(ports, { ...forever, audio: msPerDay })
  await retaining.apply()
  t.deepEqual(await ports.purges.keys(), [])
  for (const key of await ports.waiting.keys()) await ports.waiting.erase(key)
  await retaining.apply()
  t.deepEqual(await ports.purges.keys(), [fileId])
})

test('results go when their time is over, their file says so, and nobody looks for them again', async (t) => {
  const { ports, broker, storage } = aScene()
  const { ref } = await aTranscription(ports)
  broker.advance(msPerDay + 1)
  let removals = 0
  const watched = {
    ...ports,
    blobs: {
      ...ports.blobs,
      removeAll(prefix: string) {
        removals += 1
        return ports.blobs.removeAll(prefix)
      },
    },
  }
  await createRetaining(watched, { ...forever, results: msPerDay }).apply()
  t.like((await ports.runs.read(runKey(ref)))?.value.progress, { phase: 'finished', isExpired: true })
  t.deepEqual(storage.keys(), [])
  t.is(removals, 3, 'what was understood, what was made of it, and who may read it')
  await createRetaining(watched, { ...forever, results: msPerDay }).apply()
  t.is(removals, 3, 'also by another who goes on')
})

test('what a batch wished for itself ends at its own time', async (t) => {
  const { ports, broker, storage } = aScene()
  const { batch, file } = await aTranscription(ports, { retain: { audio: 1, results: 2, records: 3 } })
  await enterExpiries(ports.expiries, batch)
  await aTranscription(ports)
  const retaining = createRetaining(ports, forever)
  broker.advance(msPerDay + 1)
  await retaining.apply()
  t.deepEqual(await ports.purges.keys(), [file.fileId])
  t.is(storage.keys().length, 5)
  broker.advance(msPerDay)
  await retaining.apply()
  t.is(storage.keys().length, 3)
  broker.advance(msPerDay)
  await retaining.apply()
  t.deepEqual(await ports.purges.keys(), [file.fileId, batch.batchId])
  t.deepEqual(await ports.expiries.keys(), [])
})

test('who does not have the lease ends nothing', async (t) => {
  const { ports, broker } = aScene()
  await aTranscription(ports)
  broker.advance(msPerDay + 1)
  const lease = { ...ports.lease, hold: () => Promise.resolve(false) }
  await createRetaining({ ...ports, lease }, { ...forever, records: msPerDay }).apply()
  t.deepEqual(await ports.purges.keys(), [])
})

test('however much is due, no more than so many are looked at in a second, and the rest in the next round', async (t) => {
  const { ports, broker, rests } = aScene()
  for (let count = 0; count < 1_100; count += 1) await ports.batches.create(`batch-${count}`, aBatch({ total: 1 }))
  const { batch } = await aTranscription(ports)
  broker.advance(msPerDay + 1)
  const retaining = createRetaining(ports, { ...forever, records: msPerDay })
  await retaining.apply()
  t.deepEqual([...new Set(rests)], [250], 'fifty take a quarter of a second')
  t.deepEqual(await ports.purges.keys(), [])
  await retaining.apply()
  t.deepEqual(await ports.purges.keys(), [batch.batchId])
})

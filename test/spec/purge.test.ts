import test from 'ava'

import { batchActor } from '../../actors/batch/actor.ts'
import type { BatchPorts } from '../../actors/batch/actor.ts'
import type { BatchCommand } from '../../actors/batch/protocol.ts'
import { membersKey } from '../../actors/batch/state.ts'
import type { BatchRecord, Member, Members, OpenBatch, WaitingBatch } from '../../actors/batch/state.ts'
import type { Quota } from '../../actors/quota/state.ts'
import { enterWaiting, pagesByStretch } from '../../actors/batch/waiting.ts'
import { chunkResultKey, inHandKey, runKey } from '../../actors/ids.ts'
import type { RunRef } from '../../actors/ids.ts'
import type { Listing } from '../../actors/listing/ports.ts'
import type { WorkQueue } from '../../actors/ports.ts'
import type { PurgePorts } from '../../actors/purge/actor.ts'
import { createPromiseKeeper } from '../../actors/purge/keep-promises.ts'
import { promisePurge, purge, purgeBatch } from '../../actors/purge/purge.ts'
import type { Purge } from '../../actors/purge/state.ts'
import type { Expiry } from '../../actors/retention/state.ts'
import { promiseToLook } from '../../actors/attempt/late-parts.ts'
import type { RunWork, Reports } from '../../actors/run/ports.ts'
import type { RunState } from '../../actors/run/state.ts'
import type { Content, UploadInHand, UploadRecord, UploadedFile } from '../../actors/upload/state.ts'
import type { Webhook } from '../../actors/webhook/state.ts'
import { aBatch, aRun } from '../support/batch-builders.ts'
import { aBatchListing } from '../support/batch-listing.ts'
import { aFile, aFileId, aGatewayId, anUploadId } from '../support/builders.ts'
import { eventually } from '../support/eventually.ts'
import { aLog } from '../support/log.ts'
import { aManualClock } from '../support/manual-clock.ts'
import { aMemoryStorage } from '../support/memory-blobs.ts'
import { memoryRecords } from '../support/memory-records.ts'

const lingerMs = 1000
const uploadId = anUploadId()
const dead = new Error('it died')

/** A batch of two addresses, of which none was handed out. */
async function aScene() {
  const storage = aMemoryStorage()
  const clock = aManualClock()
  const told: BatchCommand[] = []
  const woken: RunRef[] = []
  const reports: Reports = {
    toFile: async (ref, { type }) => void (type === 'Wake' && woken.push(ref)),
    toBatch: async (_, command) => void told.push(command),
  }
  const ports = {
    batches: memoryRecords<BatchRecord>(),
    members: memoryRecords<Members>(),
    waiting: memoryRecords<WaitingBatch>(),
    runs: memoryRecords<RunState>(),
    files: memoryRecords<UploadedFile>(),
    uploads: memoryRecords<UploadRecord>(),
    contents: memoryRecords<Content>(),
    inHand: memoryRecords<UploadInHand>(),
    purges: memoryRecords<Purge>(),
    open: memoryRecords<OpenBatch>(),
    quotas: memoryRecords<Quota>(),
    webhooks: memoryRecords<Webhook>(),
    owedCalls: memoryRecords<OpenBatch>(),
    batchListing: aBatchListing(),
    expiries: memoryRecords<Expiry>(),
    listing: noListing,
    blobs: storage.blobs,
    reports,
    clock,
    log: aLog(),
    faults: { point: () => Promise.resolve() },
    nextPurgeId: () => 'a-purge',
  }
  const batch = aBatch({ total: 2, issued: 0 })
  const { owner, batchId } = batch
  const files = [aMember(), aMember()]
  await enterWaiting(ports, batch, pagesByStretch(files))
  await ports.members.create(membersKey(batchId, 0), { files })
  await ports.batches.create(batchId, batch)
  const refs = files.map(({ fileId }, index): RunRef => ({ owner, batchId, fileId, index }))
  return { ports, batch, refs, told, woken, storage, clock }
}

function aMember(): Member {
  return { fileId: aFileId(), filename: 'a.mp3', source: { type: 'url', url: 'https://a' }, estimatedSeconds: 1 }
}

const noListing: Listing = {
  append: async () => undefined,
  mark: async () => undefined,
  remove: async () => undefined,
  page: async () => ({ total: 0, fileIds: [] }),
}

test('a file that is deleted before its turn is not begun, although its batch is handing it out at this moment', async (t) => {
  const { ports, batch, refs, told } = await aScene()
  const [first] = refs
  const { owner, fileId } = first!
  t.like(await purge(ports, owner, [fileId]), { deleted: [fileId], jobsCleaned: 1 })
  t.like(told[0], { type: 'FileMoved', index: 0, standing: 'gone', estimatedSeconds: 1 })

  const { issuing, enqueued } = handingOut(ports)
  await batchActor({ ports: issuing, options: { window: 2 } }).tell(batch, [{ type: 'Wake' }])
  t.deepEqual(enqueued, [refs[1]!.fileId])
  t.is(await ports.runs.read(runKey(first!)), undefined)
})

test('the steps of a deletion that need not wait for each other do not', async (t) => {
  const { ports, refs, told } = await aScene()
  const { owner, fileId } = refs[0]!
  let [underWay, mostUnderWay] = [0, 0]
  const removeAll = async (prefix: string) => {
    mostUnderWay = Math.max(mostUnderWay, (underWay += 1))
    return ports.blobs.removeAll(prefix).finally(() => (underWay -= 1))
  }
  const remove = () => eventually('its run ends while it is still listed', () => told.length > 0, 5_000).then(() => {})
  await purge({ ...ports, blobs: { ...ports.blobs, removeAll }, listing: { ...noListing, remove } }, owner, [fileId])
  t.is(mostUnderWay, 4)
})

for (const [look, when] of [
  [1, 'looks whose it is'],
  [2, 'looks where it is'],
] as const)
  test(`a file that has its turn and ends while who deletes it ${when} is deleted all the same`, async (t) => {
    const { ports, refs } = await aScene()
    const [ref] = refs as [RunRef]
    const outcome = { phase: 'finished', outcome: 'completed', attempt: 1, finishedAtMs: 0, errors: [] } as const
    let looks = 0
    const waiting: typeof ports.waiting = {
      ...ports.waiting,
      async readUnder(prefix) {
        looks += 1
        if (looks === look) await ports.runs.create(runKey(ref), { ...aRun(outcome), ...ref })
        // its batch ends with it
        return looks < look ? ports.waiting.readUnder(prefix) : new Map()
      },
    }
    const deleted = await purge({ ...ports, waiting }, ref.owner, [ref.fileId])
    t.like(deleted, { deleted: [ref.fileId], jobsCleaned: 1 })
    t.is(await ports.runs.read(runKey(ref)), undefined)
  })

function handingOut(ports: PurgePorts): { issuing: BatchPorts; enqueued: string[] } {
  const enqueued: string[] = []
  const fileQueue: WorkQueue<RunWork> = {
    enqueue: async (work) => void enqueued.push(work.fileId),
    outstanding: async () => [],
  }
  const webhookQueue = { enqueue: () => Promise.reject(new Error('nobody asked for a call')) }
  return { issuing: { ...ports, fileQueue, webhookQueue }, enqueued }
}

test('a batch that is deleted while it hands out its files begins none of them, and leaves no record', async (t) => {
  const { ports, batch } = await aScene()
  const { issuing, enqueued } = handingOut(ports)
  const { owner, batchId } = batch
  // handed out as far as its record goes, and deleted before the first file has a record
  const members: BatchPorts['members'] = {
    ...issuing.members,
    async read(key) {
      const page = await issuing.members.read(key)
      t.truthy(await purgeBatch(ports, { owner, batchId, withFiles: false }))
      return page
    },
  }
  await batchActor({ ports: { ...issuing, members }, options: { window: 2 } }).tell(batch, [{ type: 'Wake' }])
  t.deepEqual(enqueued, [])
  for (const records of [ports.runs, ports.members, ports.batches, ports.open]) t.deepEqual(await records.keys(), [])
})

test('a batch that is deleted before its submission has come to its end is not accepted any more', async (t) => {
  const { ports } = await aScene()
  const late = aBatch({ total: 1 })
  const { owner, batchId } = late
  const keep = await promisePurge(ports, { owner, batchId, fileIds: [] })
  await keep()
  t.is(await ports.batches.create(batchId, late), 'exists')
})

test('a deletion that is done is kept for a while, and then clears away what somebody wrote who came late', async (t) => {
  const { ports, refs, storage, clock } = await aScene()
  const [{ owner, fileId }] = refs as [RunRef]
  const late = chunkResultKey(refs[0]!, 0)
  await purge(ports, owner, [fileId])
  t.deepEqual((await ports.purges.read('a-purge'))?.value, { owner, fileIds: [fileId], isDone: true })

  const keeper = createPromiseKeeper(ports, lingerMs)
  await keeper.keep()
  await ports.blobs.put(late, { bytes: new Uint8Array() })
  clock.advance(lingerMs - 1)
  await keeper.keep()
  t.deepEqual(storage.keys(), [late])
  clock.advance(1)
  await keeper.keep()
  t.deepEqual(storage.keys(), [])
  t.deepEqual(await ports.purges.keys(), [])
})

test('a run of which somebody may store audio late looks once more after a while, and nothing of it is deleted', async (t) => {
  const { ports, batch, refs, woken, clock } = await aScene()
  const [ref] = refs as [RunRef]
  const run = { ...aRun({ phase: 'queued' }), ...ref }
  await ports.runs.create(runKey(ref), run)
  await promiseToLook(ports.purges, run)
  const keeper = createPromiseKeeper(ports, lingerMs)
  await keeper.keep()
  clock.advance(lingerMs - 1)
  await keeper.keep()
  t.deepEqual(woken, [])
  clock.advance(1)
  await keeper.keep()
  t.deepEqual(woken, [ref])
  t.deepEqual(await ports.purges.keys(), [])
  t.deepEqual((await ports.runs.read(runKey(ref)))?.value, run)
  t.deepEqual((await ports.batches.read(batch.batchId))?.value, batch)
})

test('what a gateway has in hand stays deleted for as long as it has, however long that is', async (t) => {
  const dayMs = 86_400_000
  const { ports, clock } = await aScene()
  const file = { ...aFile('completed'), uploadId }
  const { owner, fileId } = file
  const gatewayId = aGatewayId()
  const note: UploadInHand = { gatewayId, owner, uploadId, fileIds: [aFileId(), fileId] }
  await ports.inHand.create(inHandKey(note), note)
  await ports.files.create(fileId, file)
  await purge(ports, owner, [fileId])
  const keeper = createPromiseKeeper(ports, lingerMs)
  const marked = async (): Promise<number> => (await ports.files.inOrder(0, 10)).at(-1)!.revision
  await keeper.keep()
  const first = await marked()
  clock.advance(dayMs)
  await keeper.keep()
  t.is(await ports.files.create(fileId, file), 'exists')
  t.true((await marked()) > first, 'the mark is renewed before its day is over')

  await ports.inHand.remove(inHandKey(note))
  clock.advance(lingerMs)
  await keeper.keep()
  t.deepEqual(await ports.purges.keys(), [])
  t.deepEqual(await ports.files.inOrder(0, 10), [])
})

test('a deletion that was promised and not begun is done by who keeps the promises', async (t) => {
  const { ports, refs, told } = await aScene()
  const [{ owner, fileId }] = refs as [RunRef]
  await ports.purges.create('a-purge', { owner, fileIds: [fileId] })
  await createPromiseKeeper(ports, lingerMs).keep()
  t.like(told[0], { standing: 'gone' })
  t.true((await ports.purges.read('a-purge'))?.value.isDone)
})

test('a deletion that cannot be kept keeps no other from being kept', async (t) => {
  const { ports, refs } = await aScene()
  const [one, other] = refs as [RunRef, RunRef]
  await ports.purges.create('a-purge', { owner: one.owner, fileIds: [one.fileId] })
  await ports.purges.create('b-purge', { owner: other.owner, fileIds: [other.fileId] })
  const removeAll = (prefix: string): Promise<number> =>
    prefix.includes(one.fileId) ? Promise.reject(dead) : ports.blobs.removeAll(prefix)
  await createPromiseKeeper({ ...ports, blobs: { ...ports.blobs, removeAll } }, lingerMs).keep()
  t.falsy((await ports.purges.read('a-purge'))?.value.isDone)
  t.true((await ports.purges.read('b-purge'))?.value.isDone)
})

test('an upload is forgotten with its last file, whoever dies on the way', async (t) => {
  const { ports } = await aScene()
  const files = [aFile('completed'), aFile('completed')].map((file) => ({ ...file, uploadId }))
  const [{ owner }] = files as [UploadedFile]
  const fileIds = files.map(({ fileId }) => fileId)
  for (const file of files) await ports.files.create(file.fileId, file)
  await ports.uploads.create(uploadId, {
    uploadId,
    owner,
    fileIds,
    acceptedAtMs: 0,
    spoolSeconds: 0,
    rejected: [],
    fingerprint: '',
  })
  await purge(ports, owner, fileIds.slice(0, 1))
  t.truthy(await ports.uploads.read(uploadId))

  const dying = {
    ...ports,
    nextPurgeId: () => 'another',
    files: { ...ports.files, remove: () => Promise.reject(dead) },
  }
  await t.throwsAsync(purge(dying, owner, fileIds.slice(1)), { is: dead })
  await createPromiseKeeper(ports, lingerMs).keep()
  t.is(await ports.uploads.read(uploadId), undefined)
  t.deepEqual(await ports.files.keys(), [])
})

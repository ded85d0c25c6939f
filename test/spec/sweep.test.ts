import test from 'ava'

import type { BatchCommand } from '../../actors/batch/protocol.ts'
import { findQueued } from '../../actors/batch/queued.ts'
import { isWithdrawnBatch, membersKey, membersPerPage, openKey } from '../../actors/batch/state.ts'
import type { BatchRecord, Member, Members, OpenBatch, WaitingBatch } from '../../actors/batch/state.ts'
import type { Quota } from '../../actors/quota/state.ts'
import { purgedBatch } from '../../actors/batch/withdrawn.ts'
import { leaveOpen } from '../../actors/batch/waiting.ts'
import { careFor } from '../../actors/sweep/decide.ts'
import { createSweeper } from '../../actors/sweep/sweep.ts'
import type { Sweeper, SweepPorts } from '../../actors/sweep/sweep.ts'
import type { WebhookWork } from '../../actors/webhook/protocol.ts'
import type { Webhook } from '../../actors/webhook/state.ts'
import { aBatch, bits, nowMs } from '../support/batch-builders.ts'
import { aBatchListing } from '../support/batch-listing.ts'
import { aBatchId, aFileId, anOwner } from '../support/builders.ts'
import { aManualClock } from '../support/manual-clock.ts'
import type { ManualClock } from '../support/manual-clock.ts'
import { aMemoryStorage } from '../support/memory-blobs.ts'
import { memoryRecords } from '../support/memory-records.ts'
import { silentLog } from '../support/silent-log.ts'

const limits = { staleMs: 1000, orphanMs: 5000 }
const open = aBatch({ total: 2 })
const finished = aBatch({ total: 1, completed: bits(0), finishedAtMs: nowMs })

test('a batch that changed lately is left alone, and of one that did not it is asked what has a message', (t) => {
  t.is(careFor({ batch: open, ageMs: 1000 }, limits), 'leave')
  t.is(careFor({ batch: open, ageMs: 1001 }, limits), 'ask')
})

test('a finished batch that is still open is woken at once', (t) => {
  t.is(careFor({ batch: finished, ageMs: 0 }, limits), 'wake')
})

test('an entry without a batch is cleared away when no submission can still be under way', (t) => {
  t.is(careFor({ batch: undefined, ageMs: 5000 }, limits), 'leave')
  t.is(careFor({ batch: undefined, ageMs: 5001 }, limits), 'collect')
})

test('an entry of a batch that is being deleted is left to who deletes it', (t) => {
  t.is(careFor({ batch: purgedBatch(aBatch({ total: 1 })), ageMs: Infinity }, limits), 'leave')
})

interface Scene {
  readonly sweeper: Sweeper
  readonly ports: SweepPorts
  readonly clock: ManualClock
  readonly told: { at: OpenBatch; command: BatchCommand; id: string }[]
  /** The files that have a message. */
  readonly withMessage: Set<number>
  /** Calls that have one. */
  readonly waiting: WebhookWork[]
  readonly called: { work: WebhookWork; id: string }[]
}

/** With a clock that is wrong by hours, which must not matter. */
function aScene(): Scene {
  const clock = aManualClock(nowMs + 7_200_000)
  const told: Scene['told'] = []
  const [withMessage, waiting, called]: [Set<number>, WebhookWork[], Scene['called']] = [new Set(), [], []]
  const ports: SweepPorts = {
    batches: memoryRecords<BatchRecord>(() => nowMs),
    members: memoryRecords<Members>(() => nowMs),
    open: memoryRecords<OpenBatch>(() => nowMs),
    waiting: memoryRecords<WaitingBatch>(() => nowMs),
    quotas: memoryRecords<Quota>(() => nowMs),
    batchListing: aBatchListing(),
    expiries: memoryRecords(() => nowMs),
    reports: {
      toFile: () => Promise.resolve(),
      toBatch: async (at, command, id) => {
        told.push({ at, command, id })
      },
    },
    fileQueue: { filesWithWork: () => Promise.resolve(withMessage) },
    chunkQueue: { filesWithWork: () => Promise.resolve(new Set()) },
    webhookQueue: {
      enqueue: async (work, { id }) => void called.push({ work, id }),
      outstanding: () => Promise.resolve([...waiting]),
    },
    webhooks: memoryRecords<Webhook>(() => nowMs),
    blobs: aMemoryStorage().blobs,
    owedCalls: memoryRecords<OpenBatch>(() => nowMs),
    lease: { hold: () => Promise.resolve(true), release: () => Promise.resolve() },
    dropAcknowledged: () => Promise.resolve(0),
    pause: async (ms) => clock.advance(ms),
    clock,
    faults: { point: () => Promise.resolve() },
    log: silentLog,
  }
  return { sweeper: createSweeper(ports, limits), ports, clock, told, withMessage, waiting, called }
}

async function anEntry({ ports }: Scene): Promise<OpenBatch> {
  const entry = { owner: anOwner(), batchId: aBatchId(), stretches: [] }
  await ports.open.create(openKey(entry), entry)
  return entry
}

test('a batch is stale when this sweeper saw no change of it for long enough, whatever the clocks of others say', async (t) => {
  const scene = aScene()
  const entry = await anEntry(scene)
  const batch = { ...open, ...entry }
  const revision = await scene.ports.batches.create(entry.batchId, batch)
  await scene.sweeper.sweep()
  scene.clock.advance(900)
  t.is(await scene.sweeper.sweep(), 0)
  await scene.ports.batches.replace(entry.batchId, { ...batch, issued: 1 }, Number(revision))
  scene.clock.advance(900)
  t.is(await scene.sweeper.sweep(), 0)
  scene.clock.advance(1001)
  t.is(await scene.sweeper.sweep(), 1)
  t.like(scene.told[0]?.at, { owner: entry.owner, batchId: entry.batchId })
  t.deepEqual(scene.told[0]?.command, { type: 'Wake' })
})

test('a stale batch of which every file under way has a message is left to those who take it', async (t) => {
  const scene = aScene()
  const entry = await anEntry(scene)
  await scene.ports.batches.create(entry.batchId, { ...open, ...entry })
  const sweepStale = async (): Promise<number> => {
    await scene.sweeper.sweep()
    scene.clock.advance(1001)
    return scene.sweeper.sweep()
  }
  scene.withMessage.add(0).add(1)
  t.is(await sweepStale(), 0)
  scene.withMessage.delete(1)
  t.is(await sweepStale(), 1)
})

test('a call that is owed and has no message is made again under another id, and one that has settled is struck off', async (t) => {
  const { ports, sweeper, clock, called, waiting } = aScene()
  const entry = { owner: anOwner(), batchId: aBatchId() }
  const lost = { ...entry, round: 1, attempt: 2 }
  await ports.owedCalls.create(openKey(entry), entry)
  const webhook: Webhook = { round: 1, standing: 'waiting', attempts: [{ atMs: nowMs, error: 'It was away.' }] }
  const revision = await ports.webhooks.create(entry.batchId, webhook)
  waiting.push(lost)
  for (let round = 0; round < 4; round += 1) {
    await sweeper.sweep()
    clock.advance(1001)
  }
  t.deepEqual(called, [])
  waiting.length = 0
  for (let round = 0; round < 4; round += 1) {
    await sweeper.sweep()
    clock.advance(1001)
  }
  t.deepEqual(called[0]?.work, lost)
  t.is(new Set(called.map(({ id }) => id)).size, 2)
  await ports.webhooks.replace(entry.batchId, { ...webhook, standing: 'delivered' }, Number(revision))
  await sweeper.sweep()
  t.deepEqual(await ports.owedCalls.keys(), [])
})

test('what was acknowledged is dropped before anybody is asked what waits, and a sweep goes on where that fails', async (t) => {
  const scene = aScene()
  const entry = await anEntry(scene)
  await scene.ports.batches.create(entry.batchId, { ...open, ...entry })
  scene.withMessage.add(0)
  const dropAcknowledged = (): Promise<number> => {
    scene.withMessage.clear()
    return Promise.reject(new Error('one of the queues does not answer'))
  }
  const sweeper = createSweeper({ ...scene.ports, dropAcknowledged }, limits)
  await sweeper.sweep()
  scene.clock.advance(1001)
  t.is(await sweeper.sweep(), 1)
})

test('a sweep has a budget a second, and ends when another has taken it over', async (t) => {
  const { ports, clock } = aScene()
  const batches = Array.from({ length: 500 }, () => ({ owner: anOwner(), batchId: aBatchId() }))
  for (const batch of batches) {
    const entry = { owner: batch.owner, batchId: batch.batchId, stretches: [] }
    await ports.open.create(openKey(entry), entry)
  }
  const beganMs = clock.elapsedMs()
  await createSweeper(ports, limits).sweep()
  t.is(clock.elapsedMs() - beganMs, 2_250)
  let holds = 0
  let reads = 0
  const lease = { ...ports.lease, hold: () => Promise.resolve((holds += 1) <= 2) }
  const read: typeof ports.batches.read = (key) => {
    reads += 1
    return ports.batches.read(key)
  }
  await createSweeper({ ...ports, lease, batches: { ...ports.batches, read } }, limits).sweep()
  t.is(reads, 100)
})

test('a batch that stays stale is woken again, under another id', async (t) => {
  const scene = aScene()
  const entry = await anEntry(scene)
  await scene.ports.batches.create(entry.batchId, { ...open, ...entry })
  for (let round = 0; round < 6; round += 1) {
    await scene.sweeper.sweep()
    scene.clock.advance(1001)
  }
  t.is(scene.told.length, 3)
  t.is(new Set(scene.told.map(({ id }) => id)).size, 3)
})

test('everything that an unfinished submission left is cleared away, and its batch cannot come any more', async (t) => {
  const scene = aScene()
  const { ports, clock, sweeper } = scene
  const entry = await anEntry(scene)
  const page = membersKey(entry.batchId, 0)
  await ports.members.create(page, { files: [null] })
  await ports.quotas.create(entry.owner, { reserved: { [entry.batchId]: { files: 1, seconds: 1 } } })
  await sweeper.sweep()
  t.not(await ports.open.read(openKey(entry)), undefined)
  clock.advance(5001)
  await sweeper.sweep()
  t.deepEqual(await ports.open.keys(), [])
  t.deepEqual(await ports.members.keys(), [])
  t.deepEqual((await ports.quotas.read(entry.owner))?.value, { reserved: {} })
  t.is(await ports.batches.create(entry.batchId, { ...open, ...entry }), 'exists')
  t.is(await ports.batches.read(entry.batchId), undefined)
})

test('a submission that was only slow keeps what it has when its batch comes first', async (t) => {
  const scene = aScene()
  const { ports, clock } = scene
  const entry = await anEntry(scene)
  const late = { ...open, ...entry }
  const slow: SweepPorts = {
    ...ports,
    batches: {
      ...ports.batches,
      async create(key, value) {
        if (isWithdrawnBatch(value)) await ports.batches.create(key, late)
        return ports.batches.create(key, value)
      },
    },
  }
  const sweeper = createSweeper(slow, limits)
  await sweeper.sweep()
  clock.advance(5001)
  await sweeper.sweep()
  t.deepEqual((await ports.batches.read(entry.batchId))?.value, late)
  t.not(await ports.open.read(openKey(entry)), undefined)
})

test('files of a batch that the version before accepted are found from its first sweep on, and no more when it has ended', async (t) => {
  const { ports, sweeper } = aScene()
  const entry = { owner: anOwner(), batchId: aBatchId() }
  const files = Array.from({ length: membersPerPage + 1 }, (): Member => ({
    fileId: aFileId(),
    filename: 'a.wav',
    source: { type: 'url', url: 'https://a' },
    estimatedSeconds: 1,
  }))
  await ports.open.create(openKey(entry), entry)
  await ports.members.create(membersKey(entry.batchId, 0), { files: [null, ...files.slice(1, membersPerPage)] })
  await ports.members.create(membersKey(entry.batchId, membersPerPage), { files: files.slice(membersPerPage) })
  await ports.batches.create(entry.batchId, { ...open, ...entry })
  await sweeper.sweep()
  const last = files[membersPerPage]!.fileId
  t.like((await findQueued(ports, entry.owner, last))[0], { batchId: entry.batchId, index: membersPerPage })
  t.deepEqual(await findQueued(ports, anOwner('other'), last), [])
  await leaveOpen(ports, entry)
  t.deepEqual(await ports.waiting.keys(), [])
})

test('a sweeper that died while it cleared away is followed up', async (t) => {
  const scene = aScene()
  const { ports, clock } = scene
  await anEntry(scene)
  const dying: SweepPorts = { ...ports, quotas: { ...ports.quotas, read: () => Promise.reject(new Error('died')) } }
  const first = createSweeper(dying, limits)
  await first.sweep()
  clock.advance(5001)
  await t.throwsAsync(first.sweep(), { message: 'died' })
  await scene.sweeper.sweep()
  t.deepEqual(await ports.open.keys(), [])
  t.deepEqual(await ports.batches.keys(), [])
})

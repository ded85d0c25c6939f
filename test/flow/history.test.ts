import { randomUUID } from 'node:crypto'

import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import test from 'ava'

import { batchActor } from '../../actors/batch/actor.ts'
import { openBacklog } from '../../actors/batch/backlog.ts'
import { openBatches } from '../../actors/batch/submit.ts'
import { uploadKey } from '../../actors/ids.ts'
import { openBatchListing } from '../../actors/listing/batches.ts'
import type { BatchPage } from '../../actors/listing/batches.ts'
import { openFileListing } from '../../actors/listing/files.ts'
import type { FilePage } from '../../actors/listing/files.ts'
import type { Head } from '../../actors/listing/pages.ts'
import { createPromiseKeeper } from '../../actors/purge/keep-promises.ts'
import { purge } from '../../actors/purge/purge.ts'
import { createLease } from '../../actors/sweep/lease.ts'
import type { LeaseRecord } from '../../actors/sweep/lease.ts'
import { createSweeper } from '../../actors/sweep/sweep.ts'
import type { Content, UploadInHand, UploadRecord } from '../../actors/upload/state.ts'
import { chunkQueue, fileQueue, webhookQueue } from '../../infra/nats/queue/work-kinds.ts'
import { openWorkQueue } from '../../infra/nats/queue/work-queue.ts'
import { openRecords } from '../../infra/nats/records/records.ts'
import { openStores } from '../../infra/nats/records/stores.ts'
import { openReports } from '../../infra/nats/reports/reports.ts'
import { ensureTopology } from '../../infra/nats/topology/ensure.ts'
import { buckets, topology } from '../../infra/nats/topology/topology.ts'
import { noFaults } from '../../infra/process/faults.ts'
import { systemClock } from '../../infra/timing/clock.ts'
import { moved } from '../support/batch-builders.ts'
import { aBatchId, aFile, anOwner, aFileId } from '../support/builders.ts'
import { aMemoryStorage } from '../support/memory-blobs.ts'
import { startTestNats } from '../support/nats.ts'
import type { TestNats } from '../support/nats.ts'
import { silentLog } from '../support/silent-log.ts'

/** What came and went costs nothing: counted in messages, because the time that they take depends on the machine. */

let nats: TestNats
test.before(async () => {
  nats = await startTestNats()
})
test.after.always(() => nats.stop())

const owner = anOwner('h')
const limits = { queueMaxFiles: 1000, quotaFiles: 100, quotaAudioSeconds: 0 }
/** Each of them left a marker in every bucket that was searched. */
const histories = 60
const lingerMs = 0

async function openDomain() {
  const connection = await nats.connect('history')
  const client = { connection, js: jetstream(connection), jsm: await jetstreamManager(connection) }
  await ensureTopology(client.jsm, topology({ replicas: 1, idempotencyHours: 1, ackWaitMs: 30_000 }))
  const queueOptions = { isSeparate: false, clock: systemClock }
  const ports = {
    ...(await openStores(client)),
    uploads: await openRecords<UploadRecord>(client, buckets.uploads),
    contents: await openRecords<Content>(client, buckets.contents),
    inHand: await openRecords<UploadInHand>(client, buckets.inHand),
    listing: openFileListing({
      heads: await openRecords<Head>(client, buckets.listing),
      pages: await openRecords<FilePage>(client, buckets.listing),
    }),
    batchListing: openBatchListing({
      heads: await openRecords<Head>(client, buckets.batchListing),
      pages: await openRecords<BatchPage>(client, buckets.batchListing),
    }),
    fileQueue: await openWorkQueue(client, { ...queueOptions, queue: fileQueue }),
    chunkQueue: await openWorkQueue(client, { ...queueOptions, queue: chunkQueue }),
    leases: await openRecords<LeaseRecord>(client, buckets.turns),
    webhookQueue: await openWorkQueue(client, { ...queueOptions, queue: webhookQueue }),
    reports: openReports(client),
    blobs: aMemoryStorage().blobs,
    clock: systemClock,
    faults: noFaults,
    log: silentLog,
    nextPurgeId: () => randomUUID(),
  }
  const messages = (): number => connection.stats().inMsgs + connection.stats().outMsgs
  return { ports, messages }
}

type HistoryPorts = Awaited<ReturnType<typeof openDomain>>['ports']

/** One recording, from its submission until its transcript was answered and nothing of it is left. */
async function transcribeAndForget(ports: HistoryPorts): Promise<void> {
  const file = aFile('completed', { owner, fileId: aFileId() })
  const { fileId } = file
  await ports.files.create(fileId, file)
  await ports.listing.append(owner, [{ fileId, status: 'completed' }])
  // a backlog of its own: one that was opened before has looked a moment ago
  const batches = openBatches({ ...ports, backlog: openBacklog(ports) }, limits)
  const source = { type: 'upload', key: uploadKey(file) } as const
  const members = [{ fileId, filename: 'a.wav', source, estimatedSeconds: 1 }]
  const batchId = aBatchId()
  const { batch } = await batches.submit({ batchId, owner, settings: { script: 'mixed', channels: 'mix' }, members })
  const actor = batchActor({ ports, options: { window: 1 } })
  await actor.tell(batch, [{ type: 'Wake' }])
  await batches.whereQueued(owner, fileId)
  await actor.tell(batch, [moved(0, 'completed')])
  await purge(ports, owner, [fileId])
}

test('a transcription, a deletion and a sweep cost as many messages after a long history as at the beginning', async (t) => {
  const { ports, messages } = await openDomain()
  const keeper = createPromiseKeeper(ports, lingerMs)
  const lease = createLease(ports, { key: 'sweeper', holder: 'test', leaseMs: 60_000 })
  const pause = (): Promise<void> => Promise.resolve()
  const dropAcknowledged = (): Promise<number> => Promise.resolve(0)
  const sweeper = createSweeper({ ...ports, lease, dropAcknowledged, pause }, { staleMs: 60_000, orphanMs: 60_000 })
  const costOf = async (run: () => Promise<unknown>): Promise<number> => {
    const before = messages()
    await run()
    return messages() - before
  }
  const forgetPromises = async (): Promise<void> => {
    await keeper.keep()
    await keeper.keep()
  }
  // what is asked once, when it is first needed, is asked here
  await transcribeAndForget(ports)
  await forgetPromises()
  const first = await costOf(() => transcribeAndForget(ports))
  await forgetPromises()
  const firstSweep = await costOf(async () => [await sweeper.sweep(), await keeper.keep()])
  for (let count = 0; count < histories; count += 1) await transcribeAndForget(ports)
  await forgetPromises()
  t.is(await costOf(() => transcribeAndForget(ports)), first)
  await forgetPromises()
  t.is(await costOf(async () => [await sweeper.sweep(), await keeper.keep()]), firstSweep)
})

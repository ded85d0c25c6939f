import { randomUUID } from 'node:crypto'

import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import type { JetStreamManager } from '@nats-io/jetstream'
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
import { createRetaining } from '../../actors/retention/retention.ts'
import type { RetentionPlace } from '../../actors/retention/state.ts'
import type { Content, UploadInHand, UploadRecord } from '../../actors/upload/state.ts'
import { fileQueue } from '../../infra/nats/queue/work-kinds.ts'
import { openWorkQueue } from '../../infra/nats/queue/work-queue.ts'
import { openRecords } from '../../infra/nats/records/records.ts'
import { openStores } from '../../infra/nats/records/stores.ts'
import { ensureTopology } from '../../infra/nats/topology/ensure.ts'
import { buckets, topology } from '../../infra/nats/topology/topology.ts'
import { noFaults } from '../../infra/process/faults.ts'
import { systemClock } from '../../infra/timing/clock.ts'
import { moved } from '../support/batch-builders.ts'
import { aBatchId, aFile, aFileId, anOwner, anUploadId } from '../support/builders.ts'
import { eventually } from '../support/eventually.ts'
import { aMemoryStorage } from '../support/memory-blobs.ts'
import { startTestNats } from '../support/nats.ts'
import type { TestNats } from '../support/nats.ts'
import { silentLog } from '../support/silent-log.ts'

let nats: TestNats
test.before(async () => {
  nats = await startTestNats()
})
test.after.always(() => nats.stop())

const owner = anOwner('k')
const limits = { queueMaxFiles: 1000, quotaFiles: 100, quotaAudioSeconds: 0 }
const rounds = 60

async function openDomain() {
  const connection = await nats.connect('keys')
  const jsm = await jetstreamManager(connection)
  const client = { connection, js: jetstream(connection), jsm }
  await ensureTopology(jsm, topology({ replicas: 1, idempotencyHours: 1, ackWaitMs: 30_000 }))
  const nothing = (): Promise<void> => Promise.resolve()
  const ports = {
    ...(await openStores(client)),
    uploads: await openRecords<UploadRecord>(client, buckets.uploads),
    contents: await openRecords<Content>(client, buckets.contents),
    inHand: await openRecords<UploadInHand>(client, buckets.inHand),
    retentionPlaces: await openRecords<RetentionPlace>(client, buckets.turns),
    listing: openFileListing({
      heads: await openRecords<Head>(client, buckets.listing),
      pages: await openRecords<FilePage>(client, buckets.listing),
    }),
    batchListing: openBatchListing({
      heads: await openRecords<Head>(client, buckets.batchListing),
      pages: await openRecords<BatchPage>(client, buckets.batchListing),
    }),
    fileQueue: await openWorkQueue(client, { isSeparate: false, clock: systemClock, queue: fileQueue }),
    webhookQueue: { enqueue: nothing },
    reports: { toFile: nothing, toBatch: nothing },
    lease: { hold: () => Promise.resolve(true), release: nothing },
    pause: nothing,
    blobs: aMemoryStorage().blobs,
    clock: systemClock,
    faults: noFaults,
    log: silentLog,
    nextPurgeId: () => randomUUID(),
  }
  return { ports, jsm }
}

type Ports = Awaited<ReturnType<typeof openDomain>>['ports']

/** One recording that is uploaded, transcribed, and never asked for again. */
async function transcribe(ports: Ports): Promise<void> {
  const file = aFile('completed', { owner, fileId: aFileId(), uploadId: anUploadId() })
  const { fileId, uploadId } = file
  await ports.files.create(fileId, file)
  const upload = { uploadId, owner, fileIds: [fileId], acceptedAtMs: 0, spoolSeconds: 0, rejected: [], fingerprint: '' }
  await ports.uploads.create(uploadId, upload)
  await ports.listing.append(owner, [{ fileId, status: 'completed' }])
  const batches = openBatches({ ...ports, backlog: openBacklog(ports) }, limits)
  const source = { type: 'upload', key: uploadKey(file) } as const
  const members = [{ fileId, filename: 'a.wav', source, estimatedSeconds: 1 }]
  const settings = { script: 'mixed', channels: 'mix' } as const
  const retain = { results: 1 } as const
  const { batch } = await batches.submit({ batchId: aBatchId(), owner, settings, members, retain })
  const actor = batchActor({ ports, options: { window: 1 } })
  await actor.tell(batch, [{ type: 'Wake' }])
  await actor.tell(batch, [moved(0, 'completed')])
}

/** Of records and of the marks that removed ones leave. */
async function keysIn(jsm: JetStreamManager): Promise<number> {
  const infos = await Promise.all(Object.values(buckets).map((bucket) => jsm.streams.info(`KV_${bucket}`)))
  return infos.reduce((sum, { state }) => sum + (state.num_subjects ?? 0), 0)
}

test('with retention on, what transcriptions leave behind does not grow with their number', async (t) => {
  const { ports, jsm } = await openDomain()
  const keeper = createPromiseKeeper(ports, 0)
  const retaining = createRetaining(ports, { audio: 1, results: 0, records: 1 })
  const settle = (): Promise<unknown> =>
    eventually('nothing is due any more', async () => {
      await retaining.apply()
      await keeper.keep()
      const left = await Promise.all([ports.batches, ports.files, ports.purges].map((records) => records.keys()))
      return left.every((keys) => keys.length === 0)
    })
  await transcribe(ports)
  await settle()
  const first = await keysIn(jsm)
  for (let count = 0; count < rounds; count += 1) await transcribe(ports)
  t.true((await keysIn(jsm)) >= first + 5 * rounds, 'there was something to end')
  await settle()
  t.is(await keysIn(jsm), first)
})

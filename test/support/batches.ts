import { join } from 'node:path'

import { jetstream, jetstreamManager } from '@nats-io/jetstream'

import { listedAs } from '../../actors/batch/listed.ts'
import { membersKey, membersPerPage, openKey } from '../../actors/batch/state.ts'
import type { BatchRecord, BatchState, Member, Members, OpenBatch, WaitingBatch } from '../../actors/batch/state.ts'
import type { Quota } from '../../actors/quota/state.ts'
import { enterWaiting, pagesByStretch } from '../../actors/batch/waiting.ts'
import { add, emptySet } from '../../actors/bitset.ts'
import type { Bitset } from '../../actors/bitset.ts'
import { runKey } from '../../actors/ids.ts'
import type { RunRef, Owner } from '../../actors/ids.ts'
import { openBatchListing } from '../../actors/listing/batches.ts'
import type { BatchPage } from '../../actors/listing/batches.ts'
import type { Head } from '../../actors/listing/pages.ts'
import type { BatchListing } from '../../actors/listing/ports.ts'
import type { Blobs, Records } from '../../actors/ports.ts'
import type { RunState } from '../../actors/run/state.ts'
import type { Webhook } from '../../actors/webhook/state.ts'
import type { WorkerPulse } from '../../actors/worker/state.ts'
import { openBlobs } from '../../infra/blobs/open.ts'
import { openRecords } from '../../infra/nats/records/records.ts'
import { buckets } from '../../infra/nats/topology/topology.ts'
import { aBatchId, aFile, aFileId } from './builders.ts'
import { runObjects, progressOf } from './file-stages.ts'
import type { RunStage } from './file-stages.ts'
import type { TestNats } from './nats.ts'
import { silentLog } from './silent-log.ts'
import { storedIn } from './stored.ts'
import type { StoredBatch } from './stored.ts'

/** Everything the batch endpoints read, so that a test lays out a situation instead of transcribing until it happens. */
export interface StoredBatches extends StoredBatch {
  readonly batches: Records<BatchRecord>
  readonly members: Records<Members>
  readonly runs: Records<RunState>
  readonly open: Records<OpenBatch>
  readonly waiting: Records<WaitingBatch>
  readonly quotas: Records<Quota>
  readonly workers: Records<WorkerPulse>
  readonly batchListing: BatchListing
  readonly webhooks: Records<Webhook>
  readonly blobs: Blobs
  layOut(owner: Owner, files: readonly LaidFile[], facts?: Partial<BatchState>): Promise<LaidBatch>
}

export interface LaidFile {
  readonly stage: RunStage
  readonly filename?: string
  readonly url?: string
  readonly text?: string
  /** Of a file that has been cut. */
  readonly chunks?: number
}

interface LaidBatch {
  readonly batch: BatchState
  readonly refs: readonly RunRef[]
}

const acceptedAtMs = 1_700_000_000_000

export async function batchesIn(at: { nats: TestNats; dataDir: string }): Promise<StoredBatches> {
  const connection = await at.nats.connect('laying out batches')
  const client = { connection, js: jetstream(connection), jsm: await jetstreamManager(connection) }
  const blobs = await openBlobs('disk:', {
    defaultFolder: join(at.dataDir, 'objects'),
    accessKeyId: '',
    secretAccessKey: '',
    log: silentLog,
  })
  const stored = {
    ...(await storedIn(at.nats)),
    batches: await openRecords<BatchRecord>(client, buckets.batches),
    members: await openRecords<Members>(client, buckets.members),
    runs: await openRecords<RunState>(client, buckets.runs),
    open: await openRecords<OpenBatch>(client, buckets.open),
    waiting: await openRecords<WaitingBatch>(client, buckets.waiting),
    quotas: await openRecords<Quota>(client, buckets.quotas),
    workers: await openRecords<WorkerPulse>(client, buckets.workers),
    webhooks: await openRecords<Webhook>(client, buckets.webhooks),
    batchListing: openBatchListing({
      heads: await openRecords<Head>(client, buckets.batchListing),
      pages: await openRecords<BatchPage>(client, buckets.batchListing),
    }),
    blobs,
  }
  return { ...stored, layOut: (owner, files, facts = {}) => layOut(stored, { owner, files, facts }) }
}

async function layOut(
  stored: Omit<StoredBatches, 'layOut'>,
  { owner, files, facts }: { owner: Owner; files: readonly LaidFile[]; facts: Partial<BatchState> },
): Promise<LaidBatch> {
  const batch: BatchState = { ...batchOf(owner, files), ...facts }
  const { batchId } = batch
  const members = files.map(memberOf)
  const refs = members.map(({ fileId }, index): RunRef => ({ owner, batchId, fileId, index }))
  await Promise.all(
    files.map(async (file, index) => {
      const [member, ref] = [members[index]!, refs[index]!]
      if (member.source.type === 'upload' && file.stage !== 'deleted' && file.stage !== 'doomed')
        await stored.files.create(
          ref.fileId,
          aFile('completed', { fileId: ref.fileId, owner, filename: member.filename }),
        )
      const progress = progressOf(file)
      if (!progress) return
      const order = { ...member, settings: batch.settings, acceptedAtMs: batch.acceptedAtMs }
      await stored.runs.create(runKey(ref), { ...ref, ...order, progress })
      for (const [key, content] of runObjects(ref, file))
        await stored.blobs.put(key, { bytes: Buffer.from(JSON.stringify(content)) })
    }),
  )
  for (let from = 0; from < members.length; from += membersPerPage) {
    const page = members.slice(from, from + membersPerPage).map((member, at) => {
      return files[from + at]?.stage === 'forgotten' ? null : member
    })
    await stored.members.create(membersKey(batchId, from), { files: page })
  }
  const pages = pagesByStretch(members)
  if (batch.finishedAtMs === undefined) {
    await stored.open.create(openKey(batch), { owner, batchId, stretches: [...pages.keys()] })
    await enterWaiting(stored, batch, pages)
  }
  await stored.batchListing.append(owner, [listedAs(batch)])
  await stored.batches.create(batchId, batch)
  return { batch, refs }
}

function memberOf(file: LaidFile, index: number): Member {
  return {
    fileId: aFileId(),
    filename: file.filename ?? `file-${index}.wav`,
    source: file.url === undefined ? { type: 'upload', key: 'uploads/key' } : { type: 'url', url: file.url },
    estimatedSeconds: 10,
  }
}

/** The record that says of each file what its stage says. */
export function batchOf(owner: Owner, files: readonly LaidFile[]): BatchState {
  const those = (...stages: readonly RunStage[]): Bitset =>
    add(emptySet, ...files.flatMap(({ stage }, index) => (stages.includes(stage) ? [index] : [])))
  const settled: readonly RunStage[] = ['completed', 'partial', 'failed', 'uncut', 'fan-out-failed', 'forgotten']
  const settledFiles = files.filter(({ stage }) => settled.includes(stage)).length
  return {
    batchId: aBatchId(),
    owner,
    acceptedAtMs,
    settings: { script: 'native', channels: 'mix' },
    total: files.length,
    estimatedSeconds: files.length * 10,
    issued: files.findLastIndex(({ stage }) => stage !== 'queued' && stage !== 'deleted') + 1,
    started: those('planning', 'waiting', 'running', 'assembling', ...settled),
    completed: those('completed'),
    partial: those('partial'),
    failed: those('failed', 'uncut', 'fan-out-failed'),
    gone: those('forgotten'),
    chunks: files.map((file) => {
      const progress = progressOf(file)
      return progress && 'chunks' in progress ? (progress.chunks?.total ?? 0) : 0
    }),
    settledSeconds: settledFiles * 10,
    settledEstimate: settledFiles * 10,
    ...(settledFiles === files.length && { finishedAtMs: acceptedAtMs + 60_000 }),
  }
}

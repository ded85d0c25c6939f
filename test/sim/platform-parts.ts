import type { Survival } from '../../actors/attempt/marks.ts'
import type { BatchCommand } from '../../actors/batch/protocol.ts'
import type { BatchRecord, Members, OpenBatch, WaitingBatch } from '../../actors/batch/state.ts'
import type { Quota } from '../../actors/quota/state.ts'
import type { ChunkWork } from '../../actors/chunk/protocol.ts'
import type { BatchId, FileId, RunRef } from '../../actors/ids.ts'
import type { InquiryWork } from '../../actors/inquiry/protocol.ts'
import type { OpenInquiry } from '../../actors/inquiry/state.ts'
import type { BatchPage } from '../../actors/listing/batches.ts'
import type { Head } from '../../actors/listing/pages.ts'
import type { Purge } from '../../actors/purge/state.ts'
import type { Expiry } from '../../actors/retention/state.ts'
import type { RunWork } from '../../actors/run/ports.ts'
import type { RunCommand } from '../../actors/run/protocol.ts'
import type { RunState } from '../../actors/run/state.ts'
import type { LeaseRecord } from '../../actors/sweep/lease.ts'
import type { Content, UploadRecord, UploadedFile } from '../../actors/upload/state.ts'
import type { WebhookWork } from '../../actors/webhook/protocol.ts'
import type { Webhook } from '../../actors/webhook/state.ts'
import type { Break } from './breaks.ts'
import type { Objects } from './objects.ts'
import type { Oracle } from './oracle.ts'
import type { Scenario } from './scenario.ts'
import type { SimStore } from './stores.ts'
import type { SimStream } from './streams.ts'
import type { World } from './world.ts'

/** Broker and storage, and what has been heard so far: everything that outlives a process. */
export interface Platform {
  readonly world: World
  readonly scenario: Scenario
  readonly broken: Break | undefined
  readonly runs: SimStore<RunState>
  readonly batches: SimStore<BatchRecord>
  readonly members: SimStore<Members>
  readonly open: SimStore<OpenBatch>
  readonly waiting: SimStore<WaitingBatch>
  readonly quotas: SimStore<Quota>
  readonly files: SimStore<UploadedFile>
  readonly uploads: SimStore<UploadRecord>
  readonly contents: SimStore<Content>
  readonly purges: SimStore<Purge>
  readonly webhooks: SimStore<Webhook>
  readonly owedCalls: SimStore<OpenBatch>
  readonly openInquiries: SimStore<OpenInquiry>
  readonly leases: SimStore<LeaseRecord>
  readonly expiries: SimStore<Expiry>
  readonly survivals: SimStore<Survival>
  /** What a user is shown of files that were uploaded. */
  readonly listed: Set<FileId>
  /** And of batches. */
  readonly batchHeads: SimStore<Head>
  readonly batchPages: SimStore<BatchPage>
  readonly fileQueue: SimStream<RunWork>
  readonly chunkQueue: SimStream<ChunkWork>
  readonly fileReports: SimStream<FileNews>
  readonly batchReports: SimStream<BatchNews>
  readonly webhookQueue: SimStream<WebhookWork>
  readonly inquiryQueue: SimStream<InquiryWork>
  /** What was set aside, by the id of its message. */
  readonly deadLetters: Map<string, SimBody>
  /** How often each was told, by what it was told. */
  readonly calls: Map<string, number>
  readonly objects: Objects
  readonly promises: Promises
  /** The id under which each file of the scenario came last. */
  readonly sentAs: Map<FileId, FileId>
  /** And each batch. */
  readonly batchSentAs: Map<BatchId, BatchId>
  readonly oracle: Oracle
  readonly streams: readonly SimStream<SimBody>[]
}

/** What travels through the broker. */
export type SimBody = RunWork | ChunkWork | FileNews | BatchNews | WebhookWork | InquiryWork

/** What was promised to users. */
interface Promises {
  readonly accepted: Set<BatchId>
  /** Of which the deletion was answered. */
  readonly deleted: Set<FileId>
  /** Of which the deletion was stored: it must come, also when nobody was answered. */
  readonly doomed: Set<FileId>
  /** Batches of which it was stored. */
  readonly doomedBatches: Set<BatchId>
  /** Batches of which it was stored that files of them are cancelled. */
  readonly cancelled: Set<BatchId>
  /** How many deletions were begun. */
  purges: number
  /** Submissions and deletions that are still trying. */
  open: number
}

export interface FileNews {
  readonly ref: RunRef
  readonly command: RunCommand
}

export interface BatchNews {
  readonly at: OpenBatch
  readonly command: BatchCommand
}

import type { BatchCommand } from '../../actors/batch/protocol.ts'
import type { BatchRecord, Members, OpenBatch, Quota } from '../../actors/batch/state.ts'
import type { ChunkWork } from '../../actors/chunk/protocol.ts'
import type { BatchId, FileId, FileRef } from '../../actors/ids.ts'
import type { Purge } from '../../actors/purge/state.ts'
import type { FileWork } from '../../actors/run/ports.ts'
import type { FileCommand } from '../../actors/run/protocol.ts'
import type { FileState } from '../../actors/run/state.ts'
import type { UploadRecord, UploadedFile } from '../../actors/upload/state.ts'
import type { NoticeWork } from '../../actors/webhook/protocol.ts'
import type { Notice } from '../../actors/webhook/state.ts'
import type { Break } from './breaks.ts'
import type { Objects } from './objects.ts'
import type { Oracle } from './oracle.ts'
import type { Scenario } from './scenario.ts'
import type { Store } from './stores.ts'
import type { Stream } from './streams.ts'
import type { World } from './world.ts'

/** Broker and storage, and what has been heard so far: everything that outlives a process. */
export interface Platform {
  readonly world: World
  readonly scenario: Scenario
  readonly broken: Break | undefined
  readonly runs: Store<FileState>
  readonly batches: Store<BatchRecord>
  readonly members: Store<Members>
  readonly open: Store<OpenBatch>
  readonly quotas: Store<Quota>
  readonly files: Store<UploadedFile>
  readonly uploads: Store<UploadRecord>
  readonly purges: Store<Purge>
  readonly notices: Store<Notice>
  /** What a user is shown of files that were uploaded. */
  readonly listed: Set<FileId>
  readonly fileQueue: Stream<FileWork>
  readonly chunkQueue: Stream<ChunkWork>
  readonly fileReports: Stream<FileNews>
  readonly batchReports: Stream<BatchNews>
  readonly noticeQueue: Stream<NoticeWork>
  /** How often each was told, by what it was told. */
  readonly calls: Map<string, number>
  readonly objects: Objects
  readonly promises: Promises
  /** The id under which each file of the scenario came last. */
  readonly sentAs: Map<FileId, FileId>
  readonly oracle: Oracle
  readonly streams: readonly Stream<Body>[]
}

/** What travels through the broker. */
export type Body = FileWork | ChunkWork | FileNews | BatchNews | NoticeWork

/** What was promised to users. */
interface Promises {
  readonly accepted: Set<BatchId>
  /** Of which the deletion was answered. */
  readonly deleted: Set<FileId>
  /** Of which the deletion was stored: it must come, also when nobody was answered. */
  readonly doomed: Set<FileId>
  /** How many deletions were begun. */
  purges: number
  /** Submissions and deletions that are still trying. */
  open: number
}

export interface FileNews {
  readonly ref: FileRef
  readonly command: FileCommand
}

export interface BatchNews {
  readonly at: OpenBatch
  readonly command: BatchCommand
}

import type { Readable } from 'node:stream'

import type { BatchCommand } from './batch/protocol.ts'
import type { ChunkWork } from './chunk/protocol.ts'
import type { FaultPoint } from './fault-points.ts'
import type { FileCommand, Step } from './file/protocol.ts'
import type { Chunks, FileOrder, TranscribeSettings } from './file/state.ts'
import type { BatchId, FileId, FileRef, Owner, UploadId } from './ids.ts'
import type {
  FileResult,
  Quality,
  NumeralChoice,
  Script,
  StoredChunk,
  StoredTranscript,
  TextFormat,
} from './transcript/state.ts'
import type { Manifest, UploadedFile, UploadStatus } from './upload/state.ts'

/** What the domain needs from the outside. Adapters live in infra/; each port has one contract suite in test/contract. */

export interface Clock {
  /** Wall clock, for showing to people. Nothing is decided by comparing two machines' clocks (I11). */
  nowMs(): number
  /** Monotonic, for durations. */
  elapsedMs(): number
}

export interface Ids {
  nextFileId(): FileId
  nextUploadId(): UploadId
  nextBatchId(): BatchId
}

/** The message is a constant, facts are fields; what a user wrote goes only into a field whose key starts with `pii.` */
export interface Log {
  debug(message: string, facts?: object): void
  info(message: string, facts?: object): void
  warn(message: string, facts?: object): void
  error(message: string, facts?: object): void
}

/** Objects by key. Keys are made by actors/ids.ts: printable ASCII, `/` between parts, no `.` or `..` part. */
export interface Blobs {
  /** Durable when it resolves. With `ifAbsent` the first writer wins and the later one is told `exists`. */
  put(
    key: string,
    source: BlobSource,
    options?: { ifAbsent?: boolean; signal?: AbortSignal },
  ): Promise<'stored' | 'exists'>
  /** The bytes, or those of a range (`start` inclusive, `end` exclusive). A missing key is terminal `not_found`. */
  open(key: string, range?: { start: number; end?: number }): Promise<Readable>
  stat(key: string): Promise<{ sizeBytes: number } | undefined>
  /** True when there was something to remove. Removing what is not there is not an error. */
  remove(key: string): Promise<boolean>
  /** Removes every object whose key starts with `prefix` (which ends in `/`); resolves with how many there were. */
  removeAll(prefix: string): Promise<number>
  /** Resolves when the store can be written to; otherwise rejects with the reason. For readiness. */
  check(): Promise<void>
  close(): Promise<void>
}

/** A file on this machine's disk that no longer changes, so that an adapter may link it, or bytes in memory. */
export type BlobSource = { readonly path: string; readonly sizeBytes: number } | { readonly bytes: Uint8Array }

/** Records with compare-and-set. Reads are strong. A write whose outcome was unknown has been read back before it resolves. */
export interface Records<Value> {
  /** A key that was removed stays taken for a day: what was deleted does not come back by a late repetition. */
  create(key: string, value: Value): Promise<Revision | 'exists'>
  read(key: string): Promise<Stored<Value> | undefined>
  /** For pages that people look at, who have seen something end and must not see it go on. Misses are left out. */
  readMany(keys: readonly string[]): Promise<Map<string, Value>>
  replace(key: string, value: Value, revision: Revision): Promise<Revision | 'conflict'>
  remove(key: string): Promise<void>
  /** Resolves after a moment by chance, a longer one the more often the caller has lost: those who lost together do not meet again. */
  backOff(conflicts: number): Promise<void>
  /** Every key of a bucket that is small by design. */
  keys(): Promise<string[]>
  /** What is kept under `prefix.` and one more part. Strong as `read`: what a deletion does not see it does not delete. */
  readUnder(prefix: string): Promise<Map<string, Value>>
}

/** Grows with every write to a bucket. */
export type Revision = number

export interface Stored<Value> {
  readonly value: Value
  readonly revision: Revision
  /** By the broker's clock. */
  readonly storedAtMs: number
}

/** Which files a user has, newest first, countable by status. Costs follow the page, not the user's history. */
export interface Listing {
  append(owner: Owner, files: readonly ListedFile[]): Promise<void>
  mark(owner: Owner, files: readonly ListedFile[]): Promise<void>
  remove(owner: Owner, files: readonly FileId[]): Promise<void>
  page(owner: Owner, query: ListingQuery): Promise<ListingPage>
}

export interface ListingQuery {
  readonly offset: number
  readonly limit: number
  readonly status?: UploadStatus | undefined
}

export interface ListedFile {
  readonly fileId: FileId
  readonly status: UploadStatus
}

export interface ListingPage {
  readonly total: number
  readonly fileIds: readonly FileId[]
}

/** Where uploads wait, safe on disk, until the object store has them. */
export interface Spool {
  /** A place for the files of one upload that is still being received; refused when the disk has no room for it. */
  receive(uploadId: UploadId, expectedBytes: number): Promise<Reception>
  /** Uploads that were committed and are not finished, oldest first. Clears what a crash left half received. */
  recover(): Promise<SpooledUpload[]>
}

export interface Reception {
  /** Streams one file to disk and hashes it on the way; durable after `commit`. */
  write(fileId: FileId, source: AsyncIterable<Uint8Array>): Promise<{ sizeBytes: number; sha256: string }>
  pathOf(fileId: FileId): string
  drop(fileId: FileId): Promise<void>
  /** The moment of acceptance: after it resolves the upload survives any crash. */
  commit(manifest: Manifest): Promise<SpooledUpload>
  /** Nothing of it stays behind. Harmless after `commit`. */
  discard(): Promise<void>
}

export interface SpooledUpload {
  readonly manifest: Manifest
  readonly phase: SpoolPhase
  pathOf(fileId: FileId): string
  /** True while the bytes of this file still wait here. */
  holds(fileId: FileId): Promise<boolean>
  enter(phase: SpoolPhase): Promise<void>
  release(fileId: FileId): Promise<void>
  /** Forgets the upload: everything it owed is done. */
  finish(): Promise<void>
}

/**
 * `committed`: on disk, records may or may not exist. `recorded`: records exist, so one that is missing was deleted.
 * `abandoned`: the client was told no; records that may exist are owed a removal.
 */
export type SpoolPhase = 'committed' | 'recorded' | 'abandoned'

/** Reads a container's header: what it is and how long it plays. Never decodes, never trusts a name or a client's type. */
export interface AudioProbe {
  probe(path: string): Promise<AudioFacts | NotAudio>
}

export interface AudioFacts {
  readonly audio: true
  readonly contentType: string
  /** Seconds, as the header says or its sizes imply; null when the container does not tell. */
  readonly durationSeconds: number | null
}

export interface NotAudio {
  readonly audio: false
  /** A sentence for the user: what it looks like instead, or what is broken. */
  readonly reason: string
}

/**
 * Work that waits for a worker, in fair turns between users. Durable when `enqueue` resolves; the same id within two minutes is
 * stored once. Delays survive restarts of everything.
 */
export interface Outbox<Work> {
  /** `isRetry`: it failed before; where retries have a queue of their own it goes there. */
  enqueue(work: Work, options: { id: string; delayMs: number; isRetry: boolean }): Promise<void>
}

export interface WorkQueue<Work> extends Outbox<Work> {
  /** All of this file's work whose message waits, is in somebody's hands, or is due later. */
  outstanding(of: FileRef): Promise<readonly Work[]>
}

export interface FileWork extends FileRef {
  readonly step: Step
  /** Counted from 1; a delivery that is repeated because a worker died keeps it. */
  readonly attempt: number
}

/** Work in somebody's hands. It is acknowledged when the handler resolves, and comes again when it rejects or dies. */
export interface Delivered<Work> {
  readonly work: Work
  /** 1 for the first time; more when a worker died with it or gave it back. */
  readonly deliveries: number
  /**
   * Aborted when the attempt takes longer than it may (the reason is a FailureError), or the worker must stop (it is not:
   * nothing failed, and who rejects then gives the work to another).
   */
  readonly signal: AbortSignal
}

/** News for the record of a file or a batch. Durable when they resolve; the same id within two minutes is stored once. */
export interface Reports {
  toFile(ref: FileRef, command: FileCommand, id: string): Promise<void>
  toBatch(of: { owner: Owner; batchId: BatchId }, command: BatchCommand, id: string): Promise<void>
}

/** Loads a file's sound, cuts it in its silences, and stores the sound of each chunk and the plan; then all is there. */
export interface Planner {
  plan(order: FileOrder, signal: AbortSignal): Promise<{ total: number; seconds: number }>
}

/** Hears the sound of one chunk. */
export interface Transcriber {
  transcribe(
    work: ChunkWork,
    settings: TranscribeSettings,
    signal: AbortSignal,
  ): Promise<Omit<StoredChunk, 'attempts' | 'startedAtMs' | 'tookMs'>>
}

/** Puts together what the chunks said; the same chunks give the same transcript. Pure but for reading them. */
export interface Assembler {
  assemble(order: FileOrder, chunks: Chunks, signal: AbortSignal): Promise<StoredTranscript>
}

/** Transcripts as they are read. Pure. */
export interface Renderer {
  /** The same words, written otherwise. */
  rewrite(transcript: Omit<StoredTranscript, 'chunks'>, wish: WritingWish): FileResult
  render(result: FileResult, format: TextFormat, wish?: { readonly speakers?: boolean }): string
}

export interface WritingWish {
  /** Without it, as the submission said. */
  readonly script?: Script | undefined
  /** Without it, numbers as they were spoken. */
  readonly numerals?: NumeralChoice | undefined
  /** Whether what was heard besides words stays. */
  readonly tags: boolean
}

/** Audio behind a URL, brought to this machine's disk. */
export interface RemoteAudio {
  /**
   * Writes the body to `path`, or leaves nothing there. A refusal is terminal with a sentence, an outage is retryable;
   * an aborted `signal` rejects with its reason. `onBytes` may go back when the remote object changed on the way.
   */
  fetch(
    url: string,
    path: string,
    options?: { signal?: AbortSignal; onBytes?: (soFar: number) => void },
  ): Promise<FetchedAudio>
}

export interface FetchedAudio {
  readonly sizeBytes: number
  /** As the server says it: a hint, never believed. */
  readonly contentType: string | undefined
}

/** Calls addresses that users gave, signed with the user's key. */
export interface Caller {
  /** Resolves when the other side took it. A refusal is terminal with a sentence, an outage is retryable. */
  call(of: {
    url: string
    owner: Owner
    /** The same whenever the same is told again. */
    id: string
    body: string
    signal: AbortSignal
  }): Promise<{ status: number }>
}

/** How well a transcript was heard, in a thread of its own: it takes long for long texts. */
export interface Judge {
  judge(texts: { readonly said: string; readonly heard: string }): Promise<Quality>
}

/** Uploaded files, as records. */
export type FileRecords = Records<UploadedFile>

/** Tells that something of a batch was written. A telling may be lost: who watches looks now and then all the same. */
export interface BatchChanges {
  /** Yields at once, then when something changed and at least every `everyMs`; ends with the signal. */
  watch(batchId: BatchId, options: { signal: AbortSignal; everyMs: number }): AsyncIterable<void>
}

/** Named places where a test may hold or kill the process; nothing happens there otherwise. */
export interface Faults {
  point(name: FaultPoint): Promise<void>
}

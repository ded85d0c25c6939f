import type { Readable } from 'node:stream'
import type { FaultPoint } from './fault-points.ts'
import type { BatchId, FileId, ResumableId, RunRef, UploadId, VocabularyId } from './ids.ts'

/** What the domain needs from the outside. Adapters live in infra/; each port has one contract suite in test/contract. */

export interface Clock {
  /** Wall clock, for showing to people. Nothing is decided by comparing two machines' clocks (I11). */
  nowMs(): number
  /** Monotonic, for durations. */
  elapsedMs(): number
}

/** For what is done after a while, unless it is called off before. */
export interface Timer {
  /** Gives back what calls it off. An infinite while never ends. */
  after(ms: number, run: () => void): () => void
}

export interface Ids {
  nextFileId(): FileId
  nextUploadId(): UploadId
  nextBatchId(): BatchId
  nextVocabularyId(): VocabularyId
  nextResumableId(): ResumableId
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
  /**
   * Gives the object a second name, `path`, on a disk of this machine, and moves no bytes; false where that is not possible. Absent where it
   * never is. Nobody writes to what has that name.
   */
  linkTo?(key: string, path: string): Promise<boolean>
  stat(key: string): Promise<{ sizeBytes: number } | undefined>
  /** True when there was something to remove. Removing what is not there is not an error. */
  remove(key: string): Promise<boolean>
  /** Removes every object whose key starts with `prefix` (which ends in `/`); resolves with how many there were. */
  removeAll(prefix: string): Promise<number>
  /** Every object whose key starts with `prefix` (which ends in `/`), in the order of keys. What comes or goes meanwhile may be missed. */
  list(prefix: string): AsyncIterable<StoredObject>
  /** Resolves when the store can be written to; otherwise rejects with the reason. For readiness. */
  check(): Promise<void>
  close(): Promise<void>
}

export interface StoredObject {
  readonly key: string
  readonly sizeBytes: number
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
  /** With a revision, only while that is what is there. */
  remove(key: string, revision?: Revision): Promise<void>
  /**
   * Leaves nothing, so that the key may be made again: for keys that nobody makes twice, and of which many come and go. With a
   * revision, what was written since stays.
   */
  erase(key: string, revision?: Revision): Promise<void>
  /** What was overwritten and removed leaves the disk as well, as far as whoever keeps the records does that when it is asked. */
  compact(): Promise<void>
  /** Resolves after a moment by chance, a longer one the more often the caller has lost: those who lost together do not meet again. */
  backOff(conflicts: number): Promise<void>
  /** How long ago a record was stored, by the clock of who stored it: no clock of this machine has a say (I11). */
  ageMs(stored: Pick<Stored<Value>, 'storedAtMs'>): Promise<number>
  /** Every key of a bucket that is small by design. */
  keys(): Promise<string[]>
  /** In the order in which they were last written, the oldest first, behind a revision; without listing anything. */
  inOrder(after: Revision, most: number): Promise<OrderedRecord<Value>[]>
  /** What is kept under `prefix.` and one more part. Strong as `read`: what a deletion does not see it does not delete. */
  readUnder(prefix: string): Promise<Map<string, Value>>
  /** The same of many at once, as strong as `readMany`: for pages that people look at. */
  readManyUnder(prefixes: readonly string[]): Promise<Map<string, Value>>
}

/** Grows with every write to a bucket. */
export type Revision = number

export interface Stored<Value> {
  readonly value: Value
  readonly revision: Revision
  /** By the broker's clock: see `ageMs`. */
  readonly storedAtMs: number
}

export interface OrderedRecord<Value> extends Omit<Stored<Value>, 'value'> {
  readonly key: string
  /** Nothing where a removal has left its mark. */
  readonly value: Value | undefined
}

/**
 * Work that waits for a worker. Durable when `enqueue` resolves; the same id within two minutes is stored once. Delays survive
 * restarts of everything.
 */
export interface Outbox<Work> {
  enqueue(work: Work, options: EnqueueOptions): Promise<void>
}

export interface EnqueueOptions {
  readonly id: string
  readonly delayMs: number
  /** It failed before; where retries have a queue of their own it goes there. */
  readonly isRetry: boolean
  /**
   * About how many pieces of the same user's work are before it; none unless told. Who has little goes first, so that nobody waits for
   * much more of another's work than there is of their own.
   */
  readonly ahead?: number
}

export interface WorkQueue<Work> extends Outbox<Work> {
  /** All work of this file, or of this batch as a whole, whose message waits, is in somebody's hands, or is due later. */
  outstanding(input: WorkOf): Promise<readonly Work[]>
}

/** Of a file of a batch, or of a batch as a whole. */
export type WorkOf = Pick<RunRef, 'owner' | 'batchId'> & Partial<Pick<RunRef, 'fileId' | 'index'>>

export interface BatchWork {
  /** By their places in the batch: the files of which any work waits, is in somebody's hands, or is due later. */
  filesWithWork(batch: Pick<RunRef, 'owner' | 'batchId'>): Promise<ReadonlySet<number>>
}

/** Work in somebody's hands. It is acknowledged when the handler resolves, and comes again when it rejects or dies. */
export interface Delivered<Work> {
  readonly work: Work
  /** 1 for the first time; more when a worker died with it or gave it back. */
  readonly deliveries: number
  /** The broker may have given it to another before, who has it still, and have forgotten that when it was killed. */
  readonly mayBeForgotten?: boolean
  /** What it came from, for who follows that (`trace/ports.ts`). */
  readonly cause?: string
  /**
   * Aborted when the attempt takes longer than it may (the reason is a FailureError), or the worker must stop (it is not:
   * nothing failed, and who rejects then gives the work to another).
   */
  readonly signal: AbortSignal
}

/** Work that takes one of its worker's slots. */
export interface Slotted<Work> extends Delivered<Work> {
  /** It was begun beside all slots, which are taken by what goes on for long: it is not for more of that. */
  readonly isSpare?: boolean
  /** For a wait on somebody else: other work has the slot meanwhile, and this gets one again before it goes on. */
  aside<Value>(wait: () => Promise<Value>): Promise<Value>
}

/** Named places where a test may hold or kill the process; nothing happens there otherwise. */
export interface Faults {
  point(name: FaultPoint): Promise<void>
}

import type { BatchCommand } from '../batch/protocol.ts'
import type { SentRecords } from '../batch/ports.ts'
import type { BatchRecord, OpenBatch } from '../batch/state.ts'
import type { ChunkWork } from '../chunk/protocol.ts'
import type { DurableActor } from '../durable-actor.ts'
import type { BatchId, RunRef, Owner } from '../ids.ts'
import type { LastSeen } from '../last-seen.ts'
import type { Clock, Blobs, Records, WorkQueue, Faults } from '../ports.ts'
import type { Purge } from '../purge/state.ts'
import type { AssembledTranscript } from '../transcript/state.ts'
import type { RunLimits } from './decide.ts'
import type { RunCommand, Step } from './protocol.ts'
import type { Chunks, RunOrder, RunState } from './state.ts'

export interface RunPorts {
  readonly runs: Records<RunState>
  readonly fileQueue: WorkQueue<RunWork>
  readonly chunkQueue: WorkQueue<ChunkWork>
  readonly reports: Reports
  readonly purges: Pick<Records<Purge>, 'create'>
  /** Told at once by its only file; of many files' reports one process makes few writes. Absent where there is nobody but the reports. */
  readonly batch?: Pick<DurableActor<OpenBatch, BatchRecord, BatchCommand>, 'tell' | 'keep'>
  /** What this process last saw of runs. */
  readonly seenRuns?: LastSeen<RunState>
  readonly blobs: Blobs
  readonly clock: Clock
  readonly faults: Faults
  /** What is to be written about its transcript begins; again and again it is the same. */
  beginInquiries(run: RunState): Promise<void>
}

export interface RunOptions extends RunLimits {
  /** Otherwise the audio of chunks goes as soon as nobody needs it. */
  readonly saveAudio: boolean
}

export interface RunWork extends RunRef {
  readonly step: Step
  /** Counted from 1; a delivery that is repeated because a worker died keeps it. */
  readonly attempt: number
  /** Enqueued once more because its user wants no more of it: who saw the run before that saw another one. */
  readonly isCancelled?: true
  readonly sent?: SentRecords
}

/** Loads a file's audio, cuts it in its silences, and stores the audio of each chunk and the plan; then all is there. */
export interface Planner {
  /**
   * Brings here what is on somebody else's server. Nothing when there is nothing to bring, `busy` when its user, or all together, have
   * as much on the way as may be.
   */
  fetch(order: RunOrder, signal: AbortSignal): Promise<FetchedSource | 'busy' | undefined>
  /** What was fetched stays with the caller. */
  plan(order: RunOrder, signal: AbortSignal, fetched?: FetchedSource): Promise<{ total: number; seconds: number }>
}

/** A recording that was on somebody else's server, on this machine's disk until it is dropped. */
export interface FetchedSource {
  readonly path: string
  drop(): Promise<void>
}

/** Puts together what the chunks said; the same chunks give the same transcript. Pure but for reading them. */
export interface Assembler {
  assemble(order: RunOrder, chunks: Chunks, signal: AbortSignal): Promise<AssembledTranscript>
}

/** News for the record of a file or a batch. Durable when they resolve; the same id within two minutes is stored once. */
export interface Reports {
  toFile(ref: RunRef, command: RunCommand, id: string): Promise<void>
  toBatch(input: { owner: Owner; batchId: BatchId }, command: BatchCommand, id: string): Promise<void>
}

import type { BatchCommand } from '../batch/protocol.ts'
import type { ChunkWork } from '../chunk/protocol.ts'
import type { BatchId, FileRef, Owner } from '../ids.ts'
import type { Clock, Blobs, Records, WorkQueue, Faults } from '../ports.ts'
import type { StoredTranscript } from '../transcript/state.ts'
import type { FileLimits } from './decide.ts'
import type { FileCommand, Step } from './protocol.ts'
import type { Chunks, FileOrder, FileState } from './state.ts'

export interface FilePorts {
  readonly runs: Records<FileState>
  readonly fileQueue: WorkQueue<FileWork>
  readonly chunkQueue: WorkQueue<ChunkWork>
  readonly reports: Reports
  readonly blobs: Blobs
  readonly clock: Clock
  readonly faults: Faults
}

export interface FileOptions extends FileLimits {
  /** Otherwise the sound of chunks goes as soon as nobody needs it. */
  readonly saveAudio: boolean
}

export interface FileWork extends FileRef {
  readonly step: Step
  /** Counted from 1; a delivery that is repeated because a worker died keeps it. */
  readonly attempt: number
}

/** Loads a file's sound, cuts it in its silences, and stores the sound of each chunk and the plan; then all is there. */
export interface Planner {
  plan(order: FileOrder, signal: AbortSignal): Promise<{ total: number; seconds: number }>
}

/** Puts together what the chunks said; the same chunks give the same transcript. Pure but for reading them. */
export interface Assembler {
  assemble(order: FileOrder, chunks: Chunks, signal: AbortSignal): Promise<StoredTranscript>
}

/** News for the record of a file or a batch. Durable when they resolve; the same id within two minutes is stored once. */
export interface Reports {
  toFile(ref: FileRef, command: FileCommand, id: string): Promise<void>
  toBatch(of: { owner: Owner; batchId: BatchId }, command: BatchCommand, id: string): Promise<void>
}

import type { ChunkWork } from '../chunk/protocol.ts'
import type { Blobs, Clock, Faults, FileWork, Records, Reports, WorkQueue } from '../ports.ts'
import type { FileLimits } from './decide.ts'
import type { FileState } from './state.ts'

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

import type { RunRef } from '../ids.ts'

/** One chunk to be heard, as it travels. Its sound is in storage, under a key that follows from these. */
export interface ChunkWork extends RunRef {
  readonly chunk: number
  /** Counted from 1; a delivery that is repeated because a worker died keeps it. */
  readonly attempt: number
}

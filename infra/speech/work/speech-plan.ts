import type { StoredPlan } from '../../../actors/transcript/state.ts'
import type { Chunk } from '../vad/plan.ts'
import type { Span } from '../vad/segments.ts'

/** What is kept of a file's cutting: enough to put it together, also where a chunk could not be heard. */
export interface SpeechPlan extends StoredPlan {
  readonly chunks: readonly PlannedChunk[]
  /** What was copied under this name is the beginning of it. */
  readonly takenOver?: string | undefined
}

export interface PlannedChunk {
  /** Seconds of the recording. */
  readonly start: number
  readonly end: number
  readonly channel: number
  /** The same in samples, and what it answers for. */
  readonly samples: Chunk
  readonly speech: readonly Span[]
}

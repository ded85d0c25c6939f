import type { ModelDigest } from '../../../actors/receipt/state.ts'
import type { Emissions } from '../align/emissions.ts'
import type { ChunkMeasures } from '../analysis/measure.ts'
import type { Transcript } from '../asr/recogniser.ts'
import type { Chunk } from '../vad/plan.ts'
import type { Span } from '../vad/segments.ts'
import type { Unheard } from './unheard.ts'

/** What one chunk says, before the file is put together. Plain JSON: it may travel and be stored. */
export interface TranscribedChunk {
  readonly chunk: Chunk
  readonly channel: number
  readonly model: string
  readonly transcript: Transcript
  /** Where there is speech, in samples of the recording. */
  readonly speech: readonly Span[]
  /** Why parts of it have no words. */
  readonly unheard: readonly Unheard[]
  readonly measures: ChunkMeasures
  /** Those that had a part in it, as they were; chunks that an older version stored do not say. */
  readonly models?: readonly ModelDigest[] | undefined
  /** Only where a text is to be laid over it: what it sounds like, and no words. */
  readonly emissions?: readonly Emissions[] | undefined
}

/** A chunk that nobody could hear, by its number in the file. */
export interface MissingChunk extends Pick<TranscribedChunk, 'chunk' | 'channel' | 'speech'> {
  readonly index: number
  readonly reason: string
}

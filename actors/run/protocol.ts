import type { StepError } from './state.ts'

/** What a worker does to a file as a whole: cut it into chunks, and put their words together. */
export type Step = 'plan' | 'assemble'

/** What may be said to a file. All of it may come late, twice or out of order. */
export type RunCommand =
  /** A worker has the step in hand. */
  | { readonly type: 'Begin'; readonly step: Step; readonly attempt: number; readonly atMs: number }
  | { readonly type: 'Planned'; readonly total: number; readonly seconds: number }
  /** Without `delayMs` it is not tried again. */
  | {
      readonly type: 'StepFailed'
      readonly step: Step
      readonly attempt: number
      readonly error: StepError
      readonly delayMs?: number
    }
  | { readonly type: 'FanOutFailed'; readonly error: StepError }
  /** What was to be done, or said, can never be: it is a dead letter. */
  | { readonly type: 'GaveUp'; readonly error: StepError }
  | ChunkReport
  /** Issued, not settled, and no message of it is anywhere. */
  | { readonly type: 'ChunksLost'; readonly chunks: readonly number[]; readonly atMs: number }
  /** `wordlessSeconds`: speech that was heard and is not in the words. `language`: of most of the speech. */
  | {
      readonly type: 'Assembled'
      readonly atMs: number
      readonly wordlessSeconds?: number
      readonly language?: string
    }
  /** Its user wants no more of it: what is done stays, and the rest has failed. */
  | { readonly type: 'Cancel'; readonly atMs: number }
  | { readonly type: 'Purge' }
  /**
   * Look again, nothing new happened. `isSaidAgain`: its batch was told something twice, and hands out once more what is under way; messages of
   * one that was taken up may be on their way at this moment, and who loses one is followed by another who has its message, or by the sweeper.
   */
  | { readonly type: 'Wake'; readonly isSaidAgain?: true }

/** What a chunk's worker tells. */
export type ChunkReport =
  | { readonly type: 'ChunkStarted'; readonly chunk: number; readonly attempt: number; readonly atMs: number }
  /** `attempt` is the one that failed. */
  | { readonly type: 'ChunkRetrying'; readonly chunk: number; readonly attempt: number; readonly error: StepError }
  | { readonly type: 'ChunkDone'; readonly chunk: number; readonly atMs: number }
  | { readonly type: 'ChunkFailed'; readonly chunk: number; readonly error: StepError }

/** What a file owes. Each may be done twice. */
export type FileEffect =
  | { readonly type: 'EnqueueStep'; readonly step: Step; readonly attempt: number; readonly delayMs: number }
  | { readonly type: 'EnqueueChunks'; readonly chunks: readonly QueuedChunk[] }
  /** Look whether the messages of what is under way are all there; enqueue those that are not. */
  | { readonly type: 'FindLostStep'; readonly step: Step; readonly attempt: number; readonly delayMs: number }
  | { readonly type: 'FindLostChunks'; readonly chunks: readonly QueuedChunk[] }
  /** What its user wants written about the transcript. */
  | { readonly type: 'BeginInquiries' }
  | { readonly type: 'TellBatch' }
  /** What is stored late by who may have a part of it in hand is removed when nobody can have it any more. */
  | { readonly type: 'LookOnceMore' }
  | { readonly type: 'RemoveParts' }
  | { readonly type: 'RemoveEverything' }
  /** The record goes too, with its name and where it came from (I12); its key stays taken. */
  | { readonly type: 'Forget' }

export interface QueuedChunk {
  readonly chunk: number
  readonly attempt: number
}

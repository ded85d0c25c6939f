import { size } from '../bitset.ts'
import { chunksOf } from './state.ts'
import type { FinishedRun, RunProgress, StepError } from './state.ts'

export type RunningRun = Extract<RunProgress, { phase: 'running' }>

/** When the last chunk is settled the file goes on, whatever became of the chunks. */
export function settled(progress: RunningRun): RunProgress {
  const { chunks, attempt } = progress
  if (size(chunks.done) + size(chunks.failed) < chunks.total) return progress
  if (size(chunks.done) > 0) return { phase: 'assembling', attempt: 1, chunks }
  const finishedAtMs = Math.max(...chunks.errors.map(({ atMs }) => atMs))
  return { phase: 'finished', outcome: 'failed', attempt, finishedAtMs, errors: [], chunks }
}

export function failedRun(progress: RunProgress & { attempt: number }, error: StepError): FinishedRun {
  const chunks = chunksOf(progress)
  return {
    phase: 'finished',
    outcome: 'failed',
    attempt: progress.attempt,
    finishedAtMs: error.atMs,
    errors: [error],
    ...(chunks && { chunks }),
  }
}

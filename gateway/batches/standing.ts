import { has, size } from '../../actors/bitset.ts'
import { unreachable } from '../../actors/decision.ts'
import { chunkErrorsOf, chunksOf, errorOfChunk } from '../../actors/run/state.ts'
import type { Chunks, RunProgress, RunState, StepError } from '../../actors/run/state.ts'
import type { BatchFile } from './read.ts'
import type { JobStatus, StatusFilter } from './result-schemas.ts'

/** How far files and chunks are, in the words of the wire. */

/** A file that was not handed to the workers yet has no record. */
export function fileStatusOf(run: RunState | undefined): JobStatus {
  if (!run) return 'queued'
  const { progress } = run
  switch (progress.phase) {
    case 'queued':
      return 'queued'
    case 'planning':
    case 'running':
    case 'assembling':
      return 'processing'
    case 'waiting':
      return 'retrying'
    case 'finished':
      return progress.outcome
    case 'gone':
      return 'failed'
    default:
      return unreachable(progress)
  }
}

export function chunkStatusOf(progress: RunProgress, chunk: number): JobStatus {
  const chunks = chunksOf(progress)
  if (!chunks) return 'queued'
  if (has(chunks.done, chunk)) return 'completed'
  if (has(chunks.failed, chunk) || isNeverIssued(progress, chunks, chunk)) return 'failed'
  return chunks.active[chunk]?.status ?? 'queued'
}

/** Why a chunk failed, or is to be tried again; of one whose turn never came, why its file failed. */
export function chunkErrorOf(progress: RunProgress, chunk: number): StepError | undefined {
  const chunks = chunksOf(progress)
  if (chunks && isNeverIssued(progress, chunks, chunk))
    return fileErrorsOf(progress).findLast((error) => error.chunk === undefined)
  return ownError(chunks, chunk)
}

/** Of a chunk that has no result. */
export function chunkAttemptsOf(progress: RunProgress, chunk: number): number {
  const chunks = chunksOf(progress)
  return chunks?.active[chunk]?.attempt ?? ownError(chunks, chunk)?.attempts ?? 0
}

function ownError(chunks: Chunks | undefined, chunk: number): StepError | undefined {
  return chunks?.active[chunk]?.error ?? errorOfChunk(chunks?.errors ?? [], chunk)
}

/** Of the file as a whole, and then of its chunks, as far as they are final or keep the file waiting. */
export function fileErrorsOf(progress: RunProgress): readonly StepError[] {
  const ofChunks = chunkErrorsOf(chunksOf(progress)?.errors ?? [])
  if (progress.phase === 'waiting') return [progress.error, ...ofChunks]
  if (progress.phase !== 'finished') return ofChunks
  // the version before kept those of chunks here as well
  return [...progress.errors.filter(({ chunk }) => chunk === undefined), ...ofChunks]
}

/** The recording itself is why: it is no sound, damaged, too much, or not there; or its result was not kept, and nothing failed. */
const lasting: ReadonlySet<string> = new Set([
  'unsupported_media',
  'invalid_request',
  'too_large',
  'not_found',
  'remote_refused',
  'expired',
])

/** Whether another attempt may end otherwise: not with the same damaged recording, nor without one. */
export function isWorthRetry({ run, isAudioExpired }: Pick<BatchFile, 'run' | 'isAudioExpired'>): boolean {
  if (run?.progress.phase !== 'finished' || run.progress.outcome === 'completed' || isAudioExpired) return false
  // what was cut into chunks could be read, whatever became of them
  return fileErrorsOf(run.progress).some(({ chunk, code }) => chunk !== undefined || !lasting.has(code))
}

/** A file with gaps has a result, so it belongs to the completed ones. */
export function matchesFilter(status: JobStatus, filter: StatusFilter | undefined): boolean {
  return filter === undefined || status === filter || (status === 'partial' && filter === 'completed')
}

export type JobCounts = Readonly<Record<JobStatus, number>>

export const noJobs: JobCounts = { queued: 0, processing: 0, retrying: 0, completed: 0, partial: 0, failed: 0 }

/** Of a file and its chunks. */
export function jobCountsOf(run: RunState | undefined): JobCounts {
  const status = fileStatusOf(run)
  const chunks = run && chunksOf(run.progress)
  const counts = chunks ? chunkCountsOf(chunks, run.progress) : noJobs
  return { ...counts, [status]: counts[status] + 1 }
}

export function addCounts(one: JobCounts, other: JobCounts): JobCounts {
  return {
    queued: one.queued + other.queued,
    processing: one.processing + other.processing,
    retrying: one.retrying + other.retrying,
    completed: one.completed + other.completed,
    partial: one.partial + other.partial,
    failed: one.failed + other.failed,
  }
}

function chunkCountsOf(chunks: Chunks, { phase }: RunProgress): JobCounts {
  const active = Object.values(chunks.active)
  const completed = size(chunks.done)
  const failed = size(chunks.failed) + (phase === 'finished' ? chunks.total - chunks.issued : 0)
  const retrying = active.filter(({ status }) => status === 'retrying').length
  const processing = active.length - retrying
  return {
    ...noJobs,
    completed,
    failed,
    retrying,
    processing,
    queued: chunks.total - completed - failed - active.length,
  }
}

/** The file ended before their turn came, so it never will. */
function isNeverIssued({ phase }: RunProgress, chunks: Chunks, chunk: number): boolean {
  return phase === 'finished' && chunk >= chunks.issued
}

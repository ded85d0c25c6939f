import type { z } from 'zod'

import { runKey } from '../../actors/ids.ts'
import type { Blobs } from '../../actors/ports.ts'
import { chunksOf, errorOfChunk } from '../../actors/run/state.ts'
import type { RunProgress, RunState } from '../../actors/run/state.ts'
import type { StoredChunkSummary } from '../../actors/transcript/state.ts'
import { detailsOf } from './details.ts'
import { chunkIdOf, presentError } from './present.ts'
import type { BatchFile } from './read.ts'
import type { JobStatus, rawJob, StatusFilter } from './result-schemas.ts'
import { chunkAttemptsOf, chunkErrorOf, chunkStatusOf, fileErrorsOf, fileStatusOf, matchesFilter } from './standing.ts'

/** Jobs as callers see them: a file, then its chunks in order. */

export type RawJobBody = z.input<typeof rawJob>
type Timings = RawJobBody['timings']

/** Which of a file's jobs a page shows, counted among those that match. */
export interface Slice {
  readonly index: number
  readonly from: number
  readonly to: number
}

/** The part of all jobs that a page shows, found from how many each file has. */
export function slicesOf(
  files: readonly { readonly index: number; readonly jobs: number }[],
  page: { readonly offset: number; readonly limit: number },
): Slice[] {
  const end = page.offset + page.limit
  const slices: Slice[] = []
  let before = 0
  for (const { index, jobs } of files) {
    const from = Math.max(0, page.offset - before)
    const to = Math.min(jobs, end - before)
    if (from < to) slices.push({ index, from, to })
    before += jobs
    if (before >= end) break
  }
  return slices
}

/** Those jobs of a file that match; `slice` says which of these. */
export async function jobsOf(
  blobs: Blobs,
  file: BatchFile,
  { filter, slice }: { filter?: StatusFilter | undefined; slice?: Slice | undefined },
): Promise<RawJobBody[]> {
  const jobs = statusesOf(file)
    .filter(({ status }) => matchesFilter(status, filter))
    .slice(slice?.from, slice?.to)
  const chunks = jobs.flatMap(({ chunk, status }) => (chunk !== undefined && status === 'completed' ? [chunk] : []))
  const { summaries } = chunks.length > 0 ? await detailsOf(blobs, file, chunks) : { summaries: new Map() }
  return jobs.map(({ chunk, status }) =>
    chunk === undefined ? fileJob(file, status) : chunkJob(file, { chunk, status, summary: summaries.get(chunk) }),
  )
}

function statusesOf({ run }: BatchFile): { status: JobStatus; chunk?: number }[] {
  const total = (run && chunksOf(run.progress)?.total) ?? 0
  const ofChunks = Array.from({ length: total }, (_, chunk) => ({
    chunk,
    status: chunkStatusOf(progressOf(run), chunk),
  }))
  return [{ status: fileStatusOf(run) }, ...ofChunks]
}

function fileJob({ ref, run, filename, acceptedAtMs }: BatchFile, status: JobStatus): RawJobBody {
  const progress = progressOf(run)
  const [error] = status === 'failed' || status === 'retrying' ? fileErrorsOf(progress) : []
  return {
    job_id: runKey(ref),
    parent_id: null,
    kind: 'file',
    batch_id: ref.batchId,
    file_id: ref.fileId,
    filename,
    status,
    attempts: Math.max(attemptsOf(progress), run?.attempts ?? 0),
    timings: {
      ...at('queued_at', acceptedAtMs),
      ...at('started_at', startedMsOf(run)),
      ...at('finished_at', progress.phase === 'finished' ? progress.finishedAtMs : undefined),
    },
    ...(error && { error: presentError(error) }),
  }
}

function chunkJob(
  { ref, run, filename }: BatchFile,
  { chunk, status, summary }: { chunk: number; status: JobStatus; summary: StoredChunkSummary | undefined },
): RawJobBody {
  const progress = progressOf(run)
  const error = chunkErrorOf(progress, chunk)
  return {
    job_id: chunkIdOf(ref, chunk),
    parent_id: runKey(ref),
    kind: 'chunk',
    batch_id: ref.batchId,
    file_id: ref.fileId,
    filename,
    chunk_index: chunk,
    status,
    attempts: summary?.attempts ?? chunkAttemptsOf(progress, chunk),
    timings: chunkTimings(progress, chunk, summary),
    ...(error && { error: presentError(error) }),
  }
}

function chunkTimings(progress: RunProgress, chunk: number, summary: StoredChunkSummary | undefined): Timings {
  if (summary) {
    const { startedAtMs, tookMs } = summary
    return { ...at('started_at', startedAtMs), ...at('finished_at', startedAtMs + tookMs), took_ms: tookMs }
  }
  const chunks = chunksOf(progress)
  const active = chunks?.active[chunk]
  const failure = errorOfChunk(chunks?.errors ?? [], chunk)
  return {
    ...at('started_at', active?.status === 'processing' ? active.sinceMs : undefined),
    ...at('finished_at', failure?.atMs),
  }
}

/** The version before knew it only while the recording was cut. */
function startedMsOf(run: RunState | undefined): number | undefined {
  return run?.startedAtMs ?? (run?.progress.phase === 'planning' ? run.progress.sinceMs : undefined)
}

/** Before the first attempt there was none; one that waits has not begun. */
function attemptsOf(progress: RunProgress): number {
  if (!('attempt' in progress)) return 0
  return progress.phase === 'waiting' ? progress.attempt - 1 : progress.attempt
}

function progressOf(run: RunState | undefined): RunProgress {
  return run?.progress ?? { phase: 'queued' }
}

function at<const Name extends keyof Timings>(name: Name, ms: number | undefined): Pick<Timings, Name> {
  // as: an object with this one name
  return (ms === undefined ? {} : { [name]: new Date(ms).toISOString() }) as Pick<Timings, Name>
}

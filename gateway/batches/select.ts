import { add, emptySet, members, minus, missing, union } from '../../actors/bitset.ts'
import { underWayOf } from '../../actors/batch/state.ts'
import type { BatchState } from '../../actors/batch/state.ts'
import { filesAt } from './read.ts'
import type { BatchReadPorts } from './read.ts'
import type { JobStatus, StatusFilter } from './result-schemas.ts'
import { fileStatusOf, jobCountsOf, matchesFilter, noJobs } from './standing.ts'
import type { JobCounts } from './standing.ts'

/** Which files of a batch a question is about, found without reading those that it is not about. */

/** Places of the files that match, in order. Only those under way are looked at one by one. */
export async function filesMatching(
  ports: BatchReadPorts,
  batch: BatchState,
  filter: StatusFilter | undefined,
): Promise<readonly number[]> {
  switch (filter) {
    case undefined:
      return missing(batch.total, batch.gone)
    case 'completed':
      return members(minus(union(batch.completed, batch.partial), batch.gone))
    case 'failed':
      return members(minus(batch.failed, batch.gone))
    case 'processing':
    case 'retrying': {
      const found: number[] = []
      for await (const file of filesAt(ports, batch, underWayOf(batch)))
        if (matchesFilter(fileStatusOf(file.run), filter)) found.push(file.ref.index)
      return found
    }
  }
}

/** Of each file that has jobs of this status, how many. */
export async function jobsMatching(
  ports: BatchReadPorts,
  batch: BatchState,
  filter: StatusFilter | undefined,
): Promise<readonly { readonly index: number; readonly jobs: number }[]> {
  const ofFile = (index: number) => ({ index, jobs: 1 + (batch.chunks[index] ?? 0) })
  if (filter === undefined) return missing(batch.total, batch.gone).map(ofFile)
  const whole = filter === 'completed' ? members(minus(batch.completed, batch.gone)).map(ofFile) : []
  const others: { index: number; jobs: number }[] = []
  for await (const { index, counts } of mixedCounts(ports, batch))
    others.push({
      index,
      jobs: counts[filter] + (filter === 'completed' ? counts.partial : 0),
    })
  return [...whole, ...others.filter(({ jobs }) => jobs > 0)].sort((one, other) => one.index - other.index)
}

/** Places of the files that may have such jobs. */
export function filesWithJobs(batch: BatchState, filter: StatusFilter | undefined): readonly number[] {
  if (filter === undefined) return missing(batch.total, batch.gone)
  if (filter === 'completed') return missing(batch.issued, batch.gone)
  return missing(batch.issued, batch.completed, batch.gone)
}

/** The jobs of files that are not simply completed or waiting: what became of their chunks is in their own records only. */
export async function* mixedCounts(
  ports: BatchReadPorts,
  batch: BatchState,
): AsyncGenerator<{ readonly index: number; readonly status: JobStatus; readonly counts: JobCounts }> {
  // a file that failed before it was cut is one failed job, and nothing more is known of it
  const uncut = members(minus(batch.failed, batch.gone)).filter((index) => (batch.chunks[index] ?? 0) === 0)
  for (const index of uncut) yield { index, status: 'failed', counts: { ...noJobs, failed: 1 } }
  const known = add(emptySet, ...uncut)
  const others = missing(batch.issued, batch.completed, batch.gone, known)
  for await (const { ref, run } of filesAt(ports, batch, others))
    yield { index: ref.index, status: fileStatusOf(run), counts: jobCountsOf(run) }
}

import type { BatchState } from '../../actors/batch/state.ts'
import { ahead } from './ahead.ts'
import { jobsOf } from './jobs.ts'
import type { RawJobBody, Slice } from './jobs.ts'
import { fileResultOf } from './present.ts'
import type { FileResultBody, Presenting, PresentationRequest } from './present.ts'
import { filesAt } from './read.ts'
import type { BatchFile, BatchReadPorts } from './read.ts'
import type { StatusFilter } from './result-schemas.ts'
import { fileStatusOf, matchesFilter } from './standing.ts'

/** Files and jobs of a batch, one after the other, for pages and downloads of any length. */

export type ListingPorts = BatchReadPorts & Presenting

/** Transcripts that are in memory at the same time. */
const filesAtOnce = 8

export async function* mergedFiles(
  ports: ListingPorts,
  batch: BatchState,
  input: {
    readonly indexes: readonly number[]
    readonly filter: StatusFilter | undefined
    readonly options: PresentationRequest
  },
): AsyncGenerator<FileResultBody> {
  const files = stillMatching(filesAt(ports, batch, input.indexes), input.filter)
  for await (const one of ahead(files, filesAtOnce, (file) => fileResultOf(ports, file, input.options)))
    if (one) yield one
}

/** Without slices all jobs of each file that match. */
export async function* rawJobs(
  ports: ListingPorts,
  batch: BatchState,
  input: {
    readonly indexes: readonly number[]
    readonly filter: StatusFilter | undefined
    readonly slices?: readonly Slice[]
  },
): AsyncGenerator<RawJobBody> {
  const slices = new Map(input.slices?.map((slice) => [slice.index, slice]))
  const files = filesAt(ports, batch, input.indexes)
  const jobs = ahead(files, filesAtOnce, (file) =>
    jobsOf(ports.blobs, file, { filter: input.filter, slice: slices.get(file.ref.index) }),
  )
  for await (const some of jobs) yield* some
}

/** The record of the batch may be a moment behind that of the file; a filter must not show what no longer matches it. */
async function* stillMatching(
  files: AsyncIterable<BatchFile>,
  filter: StatusFilter | undefined,
): AsyncGenerator<BatchFile> {
  for await (const file of files) if (matchesFilter(fileStatusOf(file.run), filter)) yield file
}

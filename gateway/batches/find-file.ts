import { acceptedBatch } from '../../actors/batch/state.ts'
import { has } from '../../actors/bitset.ts'
import type { FileId, Owner, RunRef } from '../../actors/ids.ts'
import { sourceOptionsOf } from '../../actors/run/state.ts'
import type { RunState } from '../../actors/run/state.ts'
import type { Batches } from '../../actors/services.ts'
import { filesAt, isThere, isUntouched } from './read.ts'
import type { BatchFile, BatchReadPorts } from './read.ts'

export interface FindPorts extends BatchReadPorts {
  readonly submissions: Pick<Batches, 'whereQueued'>
}

/** A file as its newest transcription has it; while it was not begun, as it waits in a batch that is open. */
export async function findFile(ports: FindPorts, owner: Owner, fileId: FileId): Promise<BatchFile | undefined> {
  const [newest] = newestFirst((await ports.runs.readUnder(fileId)).values(), owner)
  return newest ? fileOfRun(ports, newest) : findWaiting(ports, owner, fileId)
}

export interface FindManyPorts extends Pick<BatchReadPorts, 'runs'> {
  readonly submissions: Pick<Batches, 'allQueued'>
}

/** The same of many uploads that are there, by what few questions tell. */
export async function findFiles(
  ports: FindManyPorts,
  owner: Owner,
  fileIds: readonly FileId[],
): Promise<ReadonlyMap<FileId, BatchFile>> {
  const found = new Map<FileId, BatchFile>()
  for (const run of newestFirst((await ports.runs.readManyUnder(fileIds)).values(), owner).toReversed())
    found.set(run.fileId, { ...ofRun(run), isAudioExpired: false })
  const without = fileIds.filter((fileId) => !found.has(fileId))
  for (const [fileId, waiting] of await ports.submissions.allQueued(owner, without))
    found.set(fileId, { ...waiting, run: undefined, isAudioExpired: false })
  return found
}

function newestFirst(runs: Iterable<RunState>, owner: Owner): RunState[] {
  return [...runs]
    .filter((run) => run.owner === owner && run.progress.phase !== 'gone')
    .sort((one, other) => other.acceptedAtMs - one.acceptedAtMs || (other.batchId < one.batchId ? -1 : 1))
}

/** A file as one transcription has it. */
export async function fileOfRun(ports: Pick<FindPorts, 'fileRecords'>, run: RunState): Promise<BatchFile | undefined> {
  const isAudioExpired = await isUploadMissing(ports, run)
  // it was deleted before anybody took it up
  if (isAudioExpired && isUntouched(run)) return undefined
  return { ...ofRun(run), isAudioExpired }
}

function ofRun(run: RunState): Omit<BatchFile, 'isAudioExpired'> {
  const { owner, fileId, batchId, index, filename, acceptedAtMs } = run
  const ref: RunRef = { owner, batchId, fileId, index }
  return { ref, filename, ...sourceOptionsOf(run), acceptedAtMs, run }
}

async function isUploadMissing({ fileRecords }: Pick<FindPorts, 'fileRecords'>, run: RunState): Promise<boolean> {
  return run.source.type === 'upload' && !isThere((await fileRecords.read(run.fileId))?.value)
}

/** In the newest of the open batches that it is in. */
async function findWaiting(ports: FindPorts, owner: Owner, fileId: FileId): Promise<BatchFile | undefined> {
  const upload = (await ports.fileRecords.read(fileId))?.value
  if (upload && upload.owner !== owner) return undefined
  const queued = await ports.submissions.whereQueued(owner, fileId)
  for (const { batchId, index } of queued.toSorted((one, other) => (other.batchId < one.batchId ? -1 : 1))) {
    const batch = acceptedBatch((await ports.batches.read(batchId))?.value)
    if (!batch || has(batch.gone, index)) continue
    for await (const file of filesAt(ports, batch, [index])) return file
  }
  return undefined
}

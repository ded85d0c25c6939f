import { acceptedBatch, membersKey, membersPerPage } from '../../actors/batch/state.ts'
import type { BatchRecord, BatchState, Member, Members } from '../../actors/batch/state.ts'
import { runKey } from '../../actors/ids.ts'
import type { BatchId, RunRef, Owner } from '../../actors/ids.ts'
import type { Blobs, Log, Records } from '../../actors/ports.ts'
import { chunksOf, sourceOptionsOf } from '../../actors/run/state.ts'
import type { RunState, SourceOptions } from '../../actors/run/state.ts'
import type { FileRecords } from '../../actors/upload/ports.ts'
import { isVisible } from '../../actors/upload/state.ts'
import type { UploadedFile } from '../../actors/upload/state.ts'

export interface BatchReadPorts {
  readonly batches: Records<BatchRecord>
  readonly members: Records<Members>
  readonly runs: Records<RunState>
  readonly fileRecords: FileRecords
  readonly blobs: Blobs
  readonly log: Log
}

/** A file of a batch as callers may see it. */
export interface BatchFile extends SourceOptions {
  readonly ref: RunRef
  readonly filename: string
  readonly acceptedAtMs: number
  /** Absent until it is handed to the workers. */
  readonly run: RunState | undefined
  /** It was uploaded, and what was uploaded is no longer kept. */
  readonly isAudioExpired: boolean
}

/** Files whose records are in memory at the same time. */
const filesAtOnce = 200

/** Somebody else's batch is as good as none. */
export async function ownedBatch(
  { batches }: Pick<BatchReadPorts, 'batches'>,
  owner: Owner,
  batchId: BatchId,
): Promise<BatchState | undefined> {
  const batch = acceptedBatch((await batches.readMany([batchId])).get(batchId))
  return batch?.owner === owner ? batch : undefined
}

/** The files at these places, in order, without those that were deleted. */
export async function* filesAt(
  ports: BatchReadPorts,
  batch: BatchState,
  indexes: readonly number[],
): AsyncGenerator<BatchFile> {
  for (let from = 0; from < indexes.length; from += filesAtOnce)
    yield* await filesOfGroup(ports, batch, indexes.slice(from, from + filesAtOnce))
}

async function filesOfGroup(
  ports: BatchReadPorts,
  batch: BatchState,
  indexes: readonly number[],
): Promise<BatchFile[]> {
  const present = await membersAt(ports, batch.batchId, indexes)
  const keyOf = ({ fileId }: Member): string => runKey({ fileId, batchId: batch.batchId })
  const issued = present.filter(({ index }) => index < batch.issued)
  const runs = await ports.runs.readMany(issued.map(({ member }) => keyOf(member)))
  const uploaded = present.flatMap(({ member }) => (member.source.type === 'upload' ? [member.fileId] : []))
  const uploads = await ports.fileRecords.readMany(uploaded)
  return present.flatMap(({ index, member }) => {
    const { fileId, filename, source } = member
    const run = runs.get(keyOf(member))
    const isMissing = source.type === 'upload' && !isThere(uploads.get(fileId))
    const isGone = run?.progress.phase === 'gone' || (isMissing && isUntouched(run))
    const ref: RunRef = { owner: batch.owner, batchId: batch.batchId, fileId, index }
    if (isGone) return []
    const { acceptedAtMs } = batch
    return [{ ref, filename, ...sourceOptionsOf(member), acceptedAtMs, run, isAudioExpired: isMissing }]
  })
}

export function isThere(upload: UploadedFile | undefined): boolean {
  return upload !== undefined && isVisible(upload)
}

/** It may have been handed to the workers while it was deleted: then the first one who takes it up sees that it is gone. */
export function isUntouched(run: RunState | undefined): boolean {
  return run === undefined || run.progress.phase === 'queued' || run.progress.phase === 'planning'
}

/** Without those that were deleted. */
export async function membersAt(
  ports: Pick<BatchReadPorts, 'members'>,
  batchId: BatchId,
  indexes: readonly number[],
): Promise<{ index: number; member: Member }[]> {
  const pages = await ports.members.readMany([...new Set(indexes.map((index) => membersKey(batchId, index)))])
  return indexes.flatMap((index) => {
    const member = pages.get(membersKey(batchId, index))?.files[index % membersPerPage]
    return member ? [{ index, member }] : []
  })
}

export function chunkTotalOf({ run }: BatchFile): number {
  return (run && chunksOf(run.progress)?.total) ?? 0
}

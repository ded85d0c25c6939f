import type { FileId, Owner, UploadId } from '../ids.ts'
import { fileFolder, uploadKey } from '../ids.ts'
import { isRetryable } from '../failure.ts'
import { commit } from '../commit.ts'
import { findQueued } from '../batch/queued.ts'
import type { QueuedPorts } from '../batch/queued.ts'
import { purgeRuns } from './purge-runs.ts'
import type { PurgeRunsPorts } from './purge-runs.ts'
import type { Records } from '../ports.ts'
import type { DeleteOutcome } from '../services.ts'
import { advance } from './runner.ts'
import type { UploadPorts } from './runner.ts'
import { isVisible } from './state.ts'
import type { Purge, UploadedFile } from './state.ts'

export interface PurgePorts extends UploadPorts, PurgeRunsPorts, QueuedPorts {
  readonly purges: Records<Purge>
  nextPurgeId(): string
}

/**
 * Deletes files, all or none: the promise is stored before the first one is touched. Resolves with the ids that are
 * not this user's, and then nothing was deleted.
 */
export async function purge(ports: PurgePorts, owner: Owner, fileIds: readonly FileId[]): Promise<DeleteOutcome> {
  const unique = [...new Set(fileIds)]
  const isTheirs = await Promise.all(unique.map((fileId) => belongsTo(ports, owner, fileId)))
  const missing = unique.filter((_, index) => !isTheirs[index])
  if (missing.length > 0) return { missing }

  const purgeId = ports.nextPurgeId()
  await ports.purges.create(purgeId, { owner, fileIds: unique })
  await ports.faults.point('purge.after-promise')
  return { deleted: unique, ...(await fulfil(ports, purgeId, { owner, fileIds: unique })) }
}

export interface Removed {
  readonly objectsDeleted: number
  readonly jobsCleaned: number
}

/** Harmless when two do it at once. */
export async function fulfil(ports: PurgePorts, purgeId: string, promise: Purge): Promise<Removed> {
  const files = await Promise.all(promise.fileIds.map((fileId) => advance(ports, fileId, { type: 'Purge' })))
  await ports.faults.point('purge.after-tombstones')
  await ports.listing.remove(promise.owner, promise.fileIds)
  let jobsCleaned = 0
  for (const fileId of promise.fileIds) jobsCleaned += await purgeRuns(ports, promise.owner, fileId)
  const present = files.filter((file) => file !== undefined)
  try {
    const removed = await Promise.all(present.map((file) => ports.blobs.remove(uploadKey(file))))
    const transcripts = await Promise.all(
      promise.fileIds.map((fileId) => ports.blobs.removeAll(fileFolder({ owner: promise.owner, fileId }))),
    )
    await ports.faults.point('purge.after-blobs')
    await forgetEmptyUploads(ports, present)
    await Promise.all(present.map(({ fileId }) => ports.files.remove(fileId)))
    await commit(ports.purges, purgeId, (kept) => ({ state: done(kept), effects: [] }))
    const objectsDeleted = removed.filter(Boolean).length + transcripts.reduce((sum, count) => sum + count, 0)
    return { objectsDeleted, jobsCleaned }
  } catch (error) {
    // nobody can see the files any more; their bytes go when storage is back
    if (!isRetryable(error)) throw error
    ports.log.warn('deletion waits for storage or broker', { purgeId, files: present.length })
    return { objectsDeleted: 0, jobsCleaned }
  }
}

function done(promise: Purge): Purge {
  return promise.isDone ? promise : { ...promise, isDone: true }
}

/** Before the last file is forgotten: only files know which upload they came with. */
async function forgetEmptyUploads(ports: PurgePorts, purged: readonly UploadedFile[]): Promise<void> {
  const uploadIds = new Set<UploadId>(purged.map(({ uploadId }) => uploadId))
  for (const uploadId of uploadIds) {
    const upload = await ports.uploads.read(uploadId)
    if (!upload) continue
    const left = await Promise.all(upload.value.fileIds.map((fileId) => ports.files.read(fileId)))
    if (left.every((file) => !file || !isVisible(file.value))) await ports.uploads.remove(uploadId)
  }
}

/** An uploaded file, or one that came as an address with a batch. */
async function belongsTo(ports: PurgePorts, owner: Owner, fileId: FileId): Promise<boolean> {
  const file = (await ports.files.read(fileId))?.value
  if (file) return file.owner === owner && isVisible(file)
  const runs = [...(await ports.runs.readUnder(fileId)).values()]
  if (runs.length > 0) return runs.some((run) => run.owner === owner && run.progress.phase !== 'gone')
  return (await findQueued(ports, owner, fileId)).length > 0
}

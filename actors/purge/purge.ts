import { findQueued } from '../batch/queued.ts'
import { acceptedBatch } from '../batch/state.ts'
import type { FileId, Owner } from '../ids.ts'
import type { BatchDeletion, DeletedBatch, DeleteOutcome } from '../services.ts'
import { isVisible } from '../upload/state.ts'
import { purgeActor } from './actor.ts'
import type { PurgePorts, Removed } from './actor.ts'
import { filesOf } from './batch.ts'
import type { PromisedPurge } from './state.ts'

/**
 * Deletes files, all or none: the promise is stored before the first one is touched. Resolves with the ids that are
 * not this user's, and then nothing was deleted.
 */
export async function purge(ports: PurgePorts, owner: Owner, fileIds: readonly FileId[]): Promise<DeleteOutcome> {
  const unique = [...new Set(fileIds)]
  const isTheirs = await Promise.all(unique.map((fileId) => belongsTo(ports, owner, fileId)))
  const missing = unique.filter((_, index) => !isTheirs[index])
  if (missing.length > 0) return { missing }
  return { deleted: unique, ...(await promiseAndKeep(ports, { owner, fileIds: unique })) }
}

/** Deletes a batch with what was made of its files in it. Resolves with nothing when there is no such batch of this user. */
export async function purgeBatch(ports: PurgePorts, deletion: BatchDeletion): Promise<DeletedBatch | undefined> {
  const { owner, batchId, withFiles } = deletion
  const batch = acceptedBatch((await ports.batches.read(batchId))?.value)
  if (batch?.owner !== owner) return undefined
  const fileIds = await filesOf(ports, batch)
  const removed = await promiseAndKeep(ports, { owner, batchId, fileIds, ...(withFiles && { withFiles }) })
  return { deletedFiles: withFiles ? fileIds : [], ...removed }
}

async function promiseAndKeep(ports: PurgePorts, promised: PromisedPurge): Promise<Removed> {
  let counted: Removed = { objectsDeleted: 0, jobsCleaned: 0 }
  const actor = purgeActor(ports, (removed) => {
    counted = removed
  })
  await actor.tell(ports.nextPurgeId(), [{ type: 'Promise', purge: promised }])
  return counted
}

/** Stores the promise of a deletion; resolves with what keeps it. Who dies before that leaves it to those who keep promises. */
export async function promisePurge(ports: PurgePorts, promised: PromisedPurge): Promise<() => Promise<void>> {
  const purgeId = ports.nextPurgeId()
  await ports.purges.create(purgeId, promised)
  return async () => void (await purgeActor(ports).tell(purgeId, [{ type: 'Wake' }]))
}

/** An uploaded file, or one that came as an address with a batch. */
async function belongsTo(ports: PurgePorts, owner: Owner, fileId: FileId): Promise<boolean> {
  const file = (await ports.files.read(fileId))?.value
  if (file) return file.owner === owner && isVisible(file)
  // in this order, as in `purgeRuns`
  const queued = await findQueued(ports, owner, fileId)
  const runs = [...(await ports.runs.readUnder(fileId)).values()]
  if (runs.length > 0) return runs.some((run) => run.owner === owner && run.progress.phase !== 'gone')
  return queued.length > 0
}

import { findQueued } from '../batch/queued.ts'
import type { FileId, Owner } from '../ids.ts'
import type { DeleteOutcome } from '../services.ts'
import { isVisible } from '../upload/state.ts'
import { purgeActor } from './actor.ts'
import type { PurgePorts, Removed } from './actor.ts'

/**
 * Deletes files, all or none: the promise is stored before the first one is touched. Resolves with the ids that are
 * not this user's, and then nothing was deleted.
 */
export async function purge(ports: PurgePorts, owner: Owner, fileIds: readonly FileId[]): Promise<DeleteOutcome> {
  const unique = [...new Set(fileIds)]
  const isTheirs = await Promise.all(unique.map((fileId) => belongsTo(ports, owner, fileId)))
  const missing = unique.filter((_, index) => !isTheirs[index])
  if (missing.length > 0) return { missing }

  let counted: Removed = { objectsDeleted: 0, jobsCleaned: 0 }
  const actor = purgeActor(ports, (removed) => {
    counted = removed
  })
  await actor.tell(ports.nextPurgeId(), [{ type: 'Promise', owner, fileIds: unique }])
  return { deleted: unique, ...counted }
}

/** Stores the promise of a deletion; resolves with what keeps it. Who dies before that leaves it to those who keep promises. */
export async function promisePurge(
  ports: PurgePorts,
  owner: Owner,
  fileIds: readonly FileId[],
): Promise<() => Promise<void>> {
  const purgeId = ports.nextPurgeId()
  await ports.purges.create(purgeId, { owner, fileIds })
  return async () => void (await purgeActor(ports).tell(purgeId, [{ type: 'Wake' }]))
}

/** An uploaded file, or one that came as an address with a batch. */
async function belongsTo(ports: PurgePorts, owner: Owner, fileId: FileId): Promise<boolean> {
  const file = (await ports.files.read(fileId))?.value
  if (file) return file.owner === owner && isVisible(file)
  const runs = [...(await ports.runs.readUnder(fileId)).values()]
  if (runs.length > 0) return runs.some((run) => run.owner === owner && run.progress.phase !== 'gone')
  return (await findQueued(ports, owner, fileId)).length > 0
}

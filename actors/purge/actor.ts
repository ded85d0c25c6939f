import { decideAll, durableActor } from '../durable-actor.ts'
import type { DurableActor } from '../durable-actor.ts'
import { isRetryable } from '../failure.ts'
import { runKey } from '../ids.ts'
import type { FileId, Owner } from '../ids.ts'
import type { Records } from '../ports.ts'
import { eraseUploads } from '../upload/contents.ts'
import { buryBatch, endRunsOf, forgetBatch } from './batch.ts'
import type { PurgeBatchPorts } from './batch.ts'
import { decide } from './decide.ts'
import { eraseMarks } from './marks.ts'
import { buryFiles, forgetFiles } from './files.ts'
import { removeFolders, uploadsOf, wholeFilesOf } from './folders.ts'
import type { PurgeCommand } from './protocol.ts'
import { purgeRuns } from './runs.ts'
import type { PurgeRunsPorts } from './runs.ts'
import type { UploadPorts } from '../upload/record.ts'
import type { Purge } from './state.ts'

export interface PurgePorts extends Omit<UploadPorts, 'inHand'>, PurgeRunsPorts, PurgeBatchPorts {
  readonly purges: Records<Purge>
  nextPurgeId(): string
}

export interface Removed {
  readonly objectsDeleted: number
  readonly jobsCleaned: number
}

type PurgeActor = DurableActor<string, Purge, PurgeCommand>

/** A deletion, from its promise until nothing can be left of it. `count` is told what went. */
export function purgeActor(ports: PurgePorts, count: (removed: Removed) => void = () => undefined): PurgeActor {
  const self: PurgeActor = durableActor({
    records: ports.purges,
    keyOf: (purgeId: string) => purgeId,
    decide: (purge: Purge | undefined, commands: readonly PurgeCommand[]) => decideAll(decide, purge, commands),
    async perform({ type }, { ref: purgeId, state: purge }) {
      if (!purge) return
      if (type === 'Forget') await forget(ports, purgeId, purge)
      else count(await fulfil(ports, { purgeId, purge, self }))
    },
    async passed(place, commands) {
      const isPromise = commands.some(({ type }) => type === 'Promise')
      if (place === 'commit' && isPromise) await ports.faults.point('purge.after-promise')
    },
  })
  return self
}

interface Fulfilling {
  readonly purgeId: string
  readonly purge: Purge
  readonly self: PurgeActor
}

/** Harmless when two do it at once. First nobody sees any of it, then nobody works on it, then it goes. */
async function fulfil(ports: PurgePorts, { purgeId, purge, self }: Fulfilling): Promise<Removed> {
  const { owner, batchId } = purge
  const fileIds = wholeFilesOf(purge)
  const batch = batchId === undefined ? undefined : await buryBatch(ports, { owner, batchId })
  const uploads = await buryFiles(ports, uploadsOf(purge))
  await ports.faults.point('purge.after-tombstones')
  // nobody sees them any more by what was buried: that they are listed no longer is not what the rest waits for
  const [jobsCleaned] = await Promise.all([endAllRuns(ports, { owner, fileIds, batch }), unlist(ports, purge)])
  try {
    const removed = await Promise.all([eraseUploads(ports, uploads), removeFolders(ports.blobs, purge)])
    const objectsDeleted = removed[0] + removed[1]
    await ports.faults.point('purge.after-blobs')
    const uploadIds = await forgetFiles(ports, uploads)
    if (batchId !== undefined) await forgetBatch(ports, { owner, batchId })
    await self.tell(purgeId, [{ type: 'Removed', uploadIds }])
    return { objectsDeleted, jobsCleaned }
  } catch (error) {
    // nobody can see any of it any more; its bytes go when storage is back
    if (!isRetryable(error)) throw error
    ports.log.warn('deletion waits for storage or broker', { purgeId, files: fileIds.length })
    return { objectsDeleted: 0, jobsCleaned }
  }
}

async function unlist(ports: PurgePorts, purge: Purge): Promise<void> {
  const { owner, batchId } = purge
  if (batchId !== undefined) await ports.batchListing.remove(owner, [batchId])
  await ports.listing.remove(owner, uploadsOf(purge))
}

interface EndedRuns {
  readonly owner: Owner
  readonly fileIds: readonly FileId[]
  readonly batch: Parameters<typeof endRunsOf>[1] | undefined
}

/** Resolves with how many jobs there were. */
async function endAllRuns(ports: PurgePorts, { owner, fileIds, batch }: EndedRuns): Promise<number> {
  let jobs = batch ? await endRunsOf(ports, batch) : 0
  for (const fileId of fileIds) jobs += await purgeRuns(ports, owner, fileId)
  return jobs
}

async function forget(ports: PurgePorts, purgeId: string, purge: Purge): Promise<void> {
  const { wakes } = purge
  if (wakes) await ports.reports.toFile(wakes, { type: 'Wake' }, `promised:${runKey(wakes)}`)
  await removeFolders(ports.blobs, purge)
  await eraseMarks(ports, purge)
  await ports.purges.erase(purgeId)
}

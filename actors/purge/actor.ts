import { commit, decideAll, durableActor } from '../durable-actor.ts'
import type { DurableActor } from '../durable-actor.ts'
import { isRetryable } from '../failure.ts'
import { fileFolder } from '../ids.ts'
import type { FileId, UploadId } from '../ids.ts'
import type { Records } from '../ports.ts'
import { decide as decideUpload } from '../upload/decide.ts'
import type { UploadPorts } from '../upload/record.ts'
import { removeUpload } from '../upload/sidecar.ts'
import { isVisible } from '../upload/state.ts'
import type { UploadedFile } from '../upload/state.ts'
import { decide } from './decide.ts'
import type { PurgeCommand } from './protocol.ts'
import { purgeRuns } from './runs.ts'
import type { PurgeRunsPorts } from './runs.ts'
import type { Purge } from './state.ts'

export interface PurgePorts extends Omit<UploadPorts, 'inHand'>, PurgeRunsPorts {
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

/** Harmless when two do it at once. */
async function fulfil(ports: PurgePorts, { purgeId, purge, self }: Fulfilling): Promise<Removed> {
  const { owner, fileIds } = purge
  const files = await Promise.all(fileIds.map((fileId) => bury(ports, fileId)))
  await ports.faults.point('purge.after-tombstones')
  await ports.listing.remove(owner, fileIds)
  let jobsCleaned = 0
  for (const fileId of fileIds) jobsCleaned += await purgeRuns(ports, owner, fileId)
  const present = files.filter((file) => file !== undefined)
  try {
    const removed = await Promise.all(present.map((file) => removeUpload(ports.blobs, file)))
    const transcripts = await Promise.all(fileIds.map((fileId) => ports.blobs.removeAll(fileFolder({ owner, fileId }))))
    await ports.faults.point('purge.after-blobs')
    await forgetEmptyUploads(ports, present)
    await Promise.all(present.map(({ fileId }) => ports.files.remove(fileId)))
    await self.tell(purgeId, [{ type: 'Removed' }])
    const objectsDeleted = removed.filter(Boolean).length + transcripts.reduce((sum, count) => sum + count, 0)
    return { objectsDeleted, jobsCleaned }
  } catch (error) {
    // nobody can see the files any more; their bytes go when storage is back
    if (!isRetryable(error)) throw error
    ports.log.warn('deletion waits for storage or broker', { purgeId, files: present.length })
    return { objectsDeleted: 0, jobsCleaned }
  }
}

/** Resolves with nothing when there is no such upload, or none any more. What it leaves is removed by who asked for this. */
async function bury({ files }: PurgePorts, fileId: FileId): Promise<UploadedFile | undefined> {
  const { state } = await commit(files, fileId, (file) => ({
    state: file && decideUpload(file, { type: 'Purge' }),
    effects: [],
  }))
  return state
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

async function forget(ports: PurgePorts, purgeId: string, { owner, fileIds }: Purge): Promise<void> {
  for (const fileId of fileIds) await ports.blobs.removeAll(fileFolder({ owner, fileId }))
  await ports.purges.erase(purgeId)
}

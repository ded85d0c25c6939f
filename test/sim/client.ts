import { isAbandoned, membersPerPage, membersKey, openKey, untouched } from '../../actors/batch/state.ts'
import type { BatchState, Quota } from '../../actors/batch/state.ts'
import { release } from '../../actors/batch/quota.ts'
import { tellFile } from '../../actors/file/tell.ts'
import type { TranscribeSettings } from '../../actors/file/state.ts'
import { fileFolder, uploadKey, isUploadId } from '../../actors/ids.ts'
import type { FileId } from '../../actors/ids.ts'
import type { Records } from '../../actors/ports.ts'
import { domainFor, fileOptions } from './domain.ts'
import type { Domain } from './domain.ts'
import type { Platform } from './platform.ts'
import { startProcess } from './process.ts'
import type { PlannedBatch } from './scenario.ts'
import { mustBeFailure } from './settle.ts'

const settings: TranscribeSettings = { script: 'mixed', channels: 'mix' }

/** Submits a batch. A client that dies on the way was promised nothing; one that lives tries until it is answered. */
export function submit(platform: Platform, planned: PlannedBatch): void {
  const { world, promises } = platform
  promises.open += 1
  world.after(planned.atMs, () => {
    const process = startProcess(world, `client ${planned.batchId.slice(-1)}`)
    const isPatient = platform.scenario.sweepers === 0
    // one that is given up by the sweeper, reserves quota after that, and dies, leaves a reservation that nobody gives back
    process.mayDie = planned.dawdleMs < platform.scenario.limits.orphanMs
    process.whenDead = () =>
      world.after(10, () => {
        promises.open -= 1
        if (isPatient) submit(platform, { ...planned, atMs: 0 })
      })
    void untilDone(platform, process, () => accept(platform, domainFor(platform, process), planned)).then(
      (isAccepted) => {
        process.isAlive = false
        promises.open -= 1
        if (isAccepted) promises.accepted.add(planned.batchId)
        world.note(process.name, isAccepted ? 'was promised a batch' : 'was told no')
      },
    )
  })
}

/** The open entry comes first: whatever a crash leaves behind is found through it. */
async function accept(platform: Platform, { process, batch: ports }: Domain, planned: PlannedBatch): Promise<boolean> {
  const { batchId, owner, files, dawdleMs } = planned
  const dawdle = (): Promise<void> => platform.world.sleep(process, platform.world.random.between(0, dawdleMs))
  // one that is repeated may have finished meanwhile: then nothing is reserved for it again
  if (await isThere(ports.batches, planned)) return wake(ports, planned)
  await ports.open.create(openKey(planned), { owner, batchId })
  await dawdle()
  await reserve(ports.quotas, planned)
  await dawdle()
  const pages = Math.ceil(files.length / membersPerPage)
  for (let page = 0; page < pages; page += 1) {
    const part = files.slice(page * membersPerPage, (page + 1) * membersPerPage)
    await ports.members.create(membersKey(batchId, page * membersPerPage), {
      files: part.map((fileId) => ({
        fileId,
        filename: `${fileId}.wav`,
        source: { type: 'upload', key: uploadKey({ owner, uploadId: uploadIdOf(fileId), fileId }) },
        estimatedSeconds: 1,
      })),
    })
  }
  const created = await ports.batches.create(batchId, batchOf(planned, ports.clock.nowMs()))
  if (created === 'exists' && !(await isThere(ports.batches, planned))) {
    // it took so long that the sweeper gave it up
    for (let page = 0; page < pages; page += 1) await ports.members.remove(membersKey(batchId, page * membersPerPage))
    await release(ports.quotas, planned)
    await ports.open.remove(openKey(planned))
    return false
  }
  return wake(ports, planned)
}

async function isThere(batches: Records<BatchState>, { batchId }: PlannedBatch): Promise<boolean> {
  const batch = await batches.read(batchId)
  return batch !== undefined && !isAbandoned(batch.value)
}

async function wake({ reports }: Domain['batch'], planned: PlannedBatch): Promise<true> {
  await reports.toBatch(planned, { type: 'Wake' }, `wake:${planned.batchId}:submitted`)
  return true
}

function batchOf(planned: PlannedBatch, acceptedAtMs: number): BatchState {
  const { batchId, owner, files } = planned
  return {
    batchId,
    owner,
    acceptedAtMs,
    settings,
    total: files.length,
    estimatedSeconds: files.length,
    ...untouched,
  }
}

async function reserve(quotas: Records<Quota>, { owner, batchId, files }: PlannedBatch): Promise<void> {
  for (;;) {
    const reservation = { [batchId]: { files: files.length, seconds: files.length } }
    const stored = await quotas.read(owner)
    if (!stored) {
      if ((await quotas.create(owner, { reserved: reservation })) !== 'exists') return
      continue
    }
    const reserved = { ...stored.value.reserved, ...reservation }
    if ((await quotas.replace(owner, { reserved }, stored.revision)) !== 'conflict') return
  }
}

function uploadIdOf(fileId: FileId): Parameters<typeof uploadKey>[0]['uploadId'] {
  if (!isUploadId(fileId)) throw new Error('not an id')
  return fileId
}

/** Deletes a file: promised when it was answered, and looked after once more when nobody can still have it in hand. */
export function remove(platform: Platform, of: { fileId: FileId; againAtMs: number }): void {
  const { world, promises } = platform
  const { fileId, againAtMs } = of
  promises.open += 1
  const process = startProcess(world, `delete ${fileId.slice(-1)}`)
  process.whenDead = () =>
    world.after(1000, () => {
      promises.open -= 1
      remove(platform, of)
    })
  const domain = domainFor(platform, process)
  void untilDone(platform, process, async () => {
    await purge(platform, domain, fileId)
    promises.deleted.add(fileId)
    world.note(process.name, 'was promised a deletion')
    if (platform.broken === 'delete-once') return true
    await world.sleep(process, Math.max(0, againAtMs - world.nowMs()))
    await purge(platform, domain, fileId)
    return true
  }).then(() => {
    process.isAlive = false
    promises.open -= 1
  })
}

async function purge(platform: Platform, { process, file: ports }: Domain, fileId: FileId): Promise<void> {
  const recording = platform.scenario.recordings.get(fileId)
  if (!recording) throw new Error(`no recording ${fileId}`)
  await platform.uploads.portFor(process).remove(fileId)
  for (const run of (await ports.runs.readUnder(fileId)).values()) {
    await tellFile({ ports, options: fileOptions(platform) }, run, [{ type: 'Purge' }])
  }
  await ports.blobs.removeAll(fileFolder({ owner: recording.owner, fileId }))
}

async function untilDone(
  { world }: Platform,
  process: Domain['process'],
  attempt: () => Promise<boolean>,
): Promise<boolean> {
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      mustBeFailure(world, error)
      await world.sleep(process, 1000)
    }
  }
}

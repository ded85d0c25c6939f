import { cancelFiles } from '../../actors/batch/cancel.ts'
import type { OpenBatch } from '../../actors/batch/state.ts'
import type { FileId, Owner } from '../../actors/ids.ts'
import type { Listing } from '../../actors/listing/ports.ts'
import type { Records } from '../../actors/ports.ts'
import type { PurgePorts } from '../../actors/purge/actor.ts'
import { createPromiseKeeper } from '../../actors/purge/keep-promises.ts'
import { purge, purgeBatch } from '../../actors/purge/purge.ts'
import type { Purge } from '../../actors/purge/state.ts'
import type { BatchDeletion } from '../../actors/services.ts'
import { domainFor } from './domain.ts'
import type { Platform } from './platform-parts.ts'
import { startProcess } from './process.ts'
import { mustBeFailure } from './settle.ts'
import type { Process } from './world.ts'

const pauseMs = 1000
const longPauseMs = 15_000
const patience = 3
const restartMs = 5000

/** Deletes a file under the id that it came with last. */
export function remove(platform: Platform, { owner, fileId }: { owner: Owner; fileId: FileId }): void {
  insist(platform, `delete ${fileId.slice(-1)}`, async (ports) => {
    const { missing } = await purge(ports, owner, [fileId])
    if (!missing) platform.promises.deleted.add(fileId)
    return !missing
  })
}

export function removeBatch(platform: Platform, deletion: BatchDeletion): void {
  insist(platform, `delete batch ${deletion.batchId.slice(-1)}`, async (ports) => {
    const deleted = await purgeBatch(ports, deletion)
    return deleted !== undefined
  })
}

export function cancelInSim(platform: Platform, batch: OpenBatch): void {
  insist(platform, `cancel batch ${batch.batchId.slice(-1)}`, async (ports) => {
    const files = await cancelFiles(ports, batch)
    return files !== undefined
  })
}

/** Tries until it is answered: that it is done, or that it is not there (any more). */
function insist(platform: Platform, name: string, ask: (ports: PurgePorts) => Promise<boolean>): void {
  const { world, promises } = platform
  promises.open += 1
  const process = startProcess(world, name)
  process.whenDead = () =>
    world.after(pauseMs, () => {
      promises.open -= 1
      insist(platform, name, ask)
    })
  const ports = purgePorts(platform, process)
  const untilAnswered = async (): Promise<void> => {
    for (let failures = 1; ; failures += 1) {
      try {
        const isPromised = await ask(ports)
        world.note(process.name, isPromised ? 'was promised it' : 'was told that it is not there')
        return
      } catch (error) {
        mustBeFailure(world, error)
        await world.sleep(process, failures > patience ? longPauseMs : pauseMs)
      }
    }
  }
  void untilAnswered().then(() => {
    world.end(process)
    promises.open -= 1
  })
}

/** A gateway that keeps the promises of deletion; comes back when it dies. */
export function startSimGateway(platform: Platform, name: string): void {
  const { world } = platform
  const process = startProcess(world, name)
  process.whenDead = () => world.after(world.random.between(1, restartMs), () => startSimGateway(platform, name))
  void keepPromises(platform, process)
}

async function keepPromises(platform: Platform, process: Process): Promise<void> {
  const { world, scenario } = platform
  const { sweepMs, lingerMs } = scenario.limits
  const keeper = createPromiseKeeper({ ...purgePorts(platform, process), inHand: noneInHand }, lingerMs)
  for (;;) {
    await world.sleep(process, world.random.between(1, 4 * sweepMs))
    try {
      await keeper.keep()
    } catch (error) {
      mustBeFailure(world, error)
    }
  }
}

/** Files are there from the beginning here; no gateway receives any. */
const noneInHand = { keys: () => Promise.resolve([]), readMany: () => Promise.resolve(new Map()) }

function purgePorts(platform: Platform, process: Process): PurgePorts {
  const { file, batch } = domainFor(platform, process)
  // a gateway tells no batch anything but by reports
  const { batch: _, ...run } = file
  const purges = platform.purges.portFor(process)
  return {
    files: platform.files.portFor(process),
    uploads: platform.uploads.portFor(process),
    contents: platform.contents.portFor(process),
    webhooks: platform.webhooks.portFor(process),
    listing: listingFor(platform, process),
    nextPurgeId: () => `purge-${platform.promises.purges++}`,
    ...batch,
    ...run,
    purges: platform.broken === 'delete-once' ? onceOnly(purges) : purges,
  }
}

/** The broken build that forgets a deletion as soon as it is done. */
function onceOnly(purges: Records<Purge>): Records<Purge> {
  return {
    ...purges,
    async replace(key, _done, revision) {
      await purges.erase(key)
      return revision
    },
  }
}

function listingFor({ world, listed }: Platform, process: Process): Listing {
  const nothing = (): Promise<never> => Promise.reject(new Error('a deletion only removes'))
  return {
    append: nothing,
    mark: nothing,
    page: nothing,
    remove: (_, fileIds) =>
      world.call(process, { service: 'broker', what: 'listing.remove', key: fileIds.join() }, () => {
        for (const fileId of fileIds) listed.delete(fileId)
      }),
  }
}

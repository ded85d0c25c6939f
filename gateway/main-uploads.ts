import { randomUUID } from 'node:crypto'

import type { Faults, Log, Records } from '../actors/ports.ts'
import { openSpoolKeeper } from '../actors/upload/keep-spools.ts'
import type { SpoolKeeper } from '../actors/upload/keep-spools.ts'
import type { Hashing, ObjectStorage, Receiving } from '../actors/upload/ports.ts'
import type { GatewayLease } from '../actors/upload/state.ts'
import { streamIntoStorage } from '../actors/upload/stream-in.ts'
import { startUploadActor } from '../actors/upload/transfers.ts'
import type { UploadActor, UploadActorPorts } from '../actors/upload/transfers.ts'
import { openRoom, unboundedRoom } from '../infra/blobs/room.ts'
import type { Config } from '../infra/config/config.ts'
import { goesToStorage, spoolFolder, storageFolder } from '../infra/config/open-storage.ts'
import { newGatewayId } from '../infra/ids/new-ids.ts'
import { openHashing } from '../infra/spool/hashing.ts'
import { spoolHolder } from '../infra/spool/holder.ts'
import { openSpools } from '../infra/spool/spools.ts'
import { systemClock } from '../infra/timing/clock.ts'

interface UploadAdapters {
  readonly records: Omit<UploadActorPorts, 'blobs' | 'faults' | 'log' | 'clock' | 'random' | 'nextPurgeId'> & {
    readonly leases: Records<GatewayLease>
  }
  readonly blobs: ObjectStorage
  readonly faults: Faults
  readonly log: Log
}

export interface RunningUploads {
  readonly uploads: UploadActor
  /** Where new ones are received. */
  readonly receiving: Receiving
  readonly keeper: SpoolKeeper
  /** What is left waits in the spool, for whoever takes it over. */
  close(): Promise<void>
}

/** Everything that moves uploads, with what earlier processes left taken up. */
export async function startUploads(config: Config, adapters: UploadAdapters): Promise<RunningUploads> {
  const { records, ...others } = adapters
  const ports = { ...records, ...others, clock: systemClock }
  const hashing = openHashing()
  const uploads = startUploadActor(
    { ...ports, random: Math.random, nextPurgeId: randomUUID },
    {
      concurrency: config.transferConcurrency,
      giveUpMs: config.transferGiveUpSeconds * 1000,
      firstRetryMs: config.transferRetryFirstMs,
      lastRetryMs: config.transferRetryLastMs,
      sweepMs: config.sweepMs,
    },
  )
  const { keeper, waiting } = await openSpoolKeeper(
    { ...ports, ...(await spoolParts(config, hashing)) },
    { leaseMs: config.gatewayLeaseMs, giveUpMs: config.gatewayGiveUpSeconds * 1000 },
  )
  await uploads.resume(waiting)
  keeper.start((found) => uploads.adopt(found))
  return {
    uploads,
    receiving: goesToStorage(config) ? intoStorage(config, adapters, { uploads, keeper, hashing }) : keeper,
    keeper,
    async close() {
      await uploads.drain()
      await keeper.stop()
      await hashing.close()
    },
  }
}

async function spoolParts(config: Config, hashing: Hashing) {
  const folder = spoolFolder(config)
  return {
    spools: await openSpools({ folder, reserveBytes: config.spoolReserveBytes, hashing }),
    holder: await spoolHolder(),
    nextGatewayId: newGatewayId,
  }
}

function intoStorage(
  config: Config,
  { records, blobs, log }: UploadAdapters,
  { uploads, keeper, hashing }: Pick<RunningUploads, 'uploads' | 'keeper'> & { hashing: Hashing },
): Receiving {
  const folder = storageFolder(config)
  return streamIntoStorage({
    storage: blobs,
    hashing,
    inHand: records.inHand,
    log,
    gatewayId: keeper.gatewayId,
    room: folder === undefined ? unboundedRoom : openRoom({ folder, reserveBytes: config.spoolReserveBytes }),
    abandon: (upload) => uploads.abandon(upload),
  })
}

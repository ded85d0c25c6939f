import { randomUUID } from 'node:crypto'

import type { Faults, Log, Records } from '../actors/ports.ts'
import { openSpoolKeeper } from '../actors/upload/keep-spools.ts'
import type { SpoolKeeper } from '../actors/upload/keep-spools.ts'
import type { Hashing, ObjectStorage, Receiving, ResumableUploads, Room } from '../actors/upload/ports.ts'
import { openResumableUploads } from '../actors/upload/resumable.ts'
import type { GatewayLease } from '../actors/upload/state.ts'
import { streamIntoStorage } from '../actors/upload/stream-in.ts'
import { startUploadActor } from '../actors/upload/transfers.ts'
import type { UploadActor, UploadActorPorts } from '../actors/upload/transfers.ts'
import { createUnderWay } from '../actors/upload/under-way.ts'
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
  readonly resumables: ResumableUploads
  /** Where what comes of resumable uploads waits. */
  readonly resumableRoom: Pick<Room, 'check'>
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
  const room = roomOfStorage(config)
  const resumables = openResumableUploads({ storage: adapters.blobs, clock: systemClock })
  const stopSweeping = sweepResumables(config, resumables, adapters.log)
  return {
    uploads,
    receiving: goesToStorage(config) ? intoStorage(room, adapters, { uploads, keeper, hashing }) : keeper,
    keeper,
    resumables,
    resumableRoom: room,
    async close() {
      await stopSweeping()
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

function roomOfStorage(config: Config): Room {
  const folder = storageFolder(config)
  return folder === undefined ? unboundedRoom : openRoom({ folder, reserveBytes: config.spoolReserveBytes })
}

/** What expired stays for a part of the time that it had, and is seen by nobody. */
const sweepsPerLifetime = 24
const sweepAtLeastEveryMs = 1_000

function sweepResumables(config: Config, resumables: ResumableUploads, log: Log): () => Promise<void> {
  const underWay = createUnderWay()
  const everyMs = Math.max(sweepAtLeastEveryMs, (config.uploadResumableSeconds * 1000) / sweepsPerLifetime)
  const sweep = async (): Promise<void> => {
    try {
      const dropped = await resumables.sweep()
      if (dropped > 0) log.info('unfinished uploads expired', { dropped })
    } catch (error) {
      log.warn('unfinished uploads were not swept', { error })
    }
    underWay.later(everyMs, () => underWay.track(sweep()))
  }
  underWay.later(everyMs, () => underWay.track(sweep()))
  return () => underWay.drain()
}

function intoStorage(
  room: Room,
  { records, blobs, log }: UploadAdapters,
  { uploads, keeper, hashing }: Pick<RunningUploads, 'uploads' | 'keeper'> & { hashing: Hashing },
): Receiving {
  return streamIntoStorage({
    storage: blobs,
    hashing,
    inHand: records.inHand,
    log,
    gatewayId: keeper.gatewayId,
    room,
    abandon: (upload) => uploads.abandon(upload),
  })
}

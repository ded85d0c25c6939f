import { batchActor } from '../../actors/batch/actor.ts'
import type { FaultPoint } from '../../actors/fault-points.ts'
import { beginSubmitted } from '../../actors/inquiry/submitted.ts'
import { createLastSeen } from '../../actors/last-seen.ts'
import { openBatchListing } from '../../actors/listing/batches.ts'
import type { BatchListing } from '../../actors/listing/ports.ts'
import type { Faults, Log } from '../../actors/ports.ts'
import type { RunOptions } from '../../actors/run/ports.ts'
import type { RunState } from '../../actors/run/state.ts'
import type { Domain } from './domain-ports.ts'
import { inquiryQueueFor } from './inquiries.ts'
import { webhookQueueFor } from './webhooks.ts'
import type { Platform } from './platform-parts.ts'
import { queueFor, reportsFor } from './platform.ts'
import type { Process, World } from './world.ts'

export function domainFor(platform: Platform, process: Process): Domain {
  const { world } = platform
  const fileQueue = queueFor(platform, platform.fileQueue, process)
  const webhookQueue = webhookQueueFor(platform, process)
  const shared = {
    runs: platform.runs.portFor(process),
    seenRuns: createLastSeen<RunState>(),
    fileQueue,
    reports: reportsFor(platform, process),
    purges: platform.purges.portFor(process),
    clock: process.clock,
    faults: faultsFor(world, process),
    log: logFor(world, process),
  }
  const chunkQueue = queueFor(platform, platform.chunkQueue, process)
  const batch = {
    blobs: platform.objects.portFor(process),
    webhookQueue,
    owedCalls: platform.owedCalls.portFor(process),
    batches: platform.batches.portFor(process),
    members: platform.members.portFor(process),
    open: platform.open.portFor(process),
    waiting: platform.waiting.portFor(process),
    quotas: platform.quotas.portFor(process),
    batchListing: batchListingFor(platform, process),
    expiries: platform.expiries.portFor(process),
    ...shared,
  }
  const inquiries = {
    runs: shared.runs,
    blobs: batch.blobs,
    openInquiries: platform.openInquiries.portFor(process),
    inquiryQueue: inquiryQueueFor(platform, process),
    clock: process.clock,
  }
  const window = platform.scenario.limits.batchWindow
  return {
    process,
    queues: { fileQueue, chunkQueue, webhookQueue },
    file: {
      chunkQueue,
      blobs: batch.blobs,
      beginInquiries: (run) => beginSubmitted(inquiries, run),
      batch: batchActor({ ports: batch, options: { window } }),
      ...shared,
    },
    batch,
    inquiries,
  }
}

/** So small that two batches already take several pages. */
const listRoom = 2

function batchListingFor({ batchHeads, batchPages }: Platform, process: Process): BatchListing {
  return openBatchListing({ heads: batchHeads.portFor(process), pages: batchPages.portFor(process) }, listRoom)
}

export function fileOptions(platform: Platform): RunOptions {
  const { fileWindow: window, lostMax, saveAudio } = platform.scenario.limits
  return { window, lostMax, saveAudio }
}

/** Few come here, so that each of them is in more danger. */
const rare = new Map<FaultPoint, number>([
  ['sweep.after-wake', 30],
  ['batch.after-quota', 5],
  ['chunk.after-retry', 5],
  ['assemble.after-store', 3],
  ['batch.after-announce', 4],
  ['notice.after-call', 4],
  ['notice.after-record', 4],
])
const passed = Promise.resolve()

function faultsFor(world: World, process: Process): Faults {
  return {
    point(name) {
      const chance = world.weather.crashAtPoint * (rare.get(name) ?? 1)
      if (!process.mayDie || !world.random.chance(chance)) return passed
      world.count(`at ${name}`)
      world.crash(process, `at ${name}`)
      return new Promise(() => undefined)
    },
  }
}

function logFor(world: World, process: Process): Log {
  const say = (message: string, facts?: object): void =>
    world.note(process.name, `${message} ${facts ? JSON.stringify(facts) : ''}`)
  return { debug: say, info: say, warn: say, error: say }
}

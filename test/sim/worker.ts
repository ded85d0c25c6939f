import { withDeadline } from '../../actors/attempt/deadline.ts'
import { createQuarantine } from '../../actors/attempt/quarantine.ts'
import type { TrialPorts } from '../../actors/attempt/trial.ts'
import { batchActor } from '../../actors/batch/actor.ts'
import { admitMeasured } from '../../actors/batch/measured.ts'
import { transcribeAtOnce, runChunk } from '../../actors/chunk/actor.ts'
import { openOrders } from '../../actors/chunk/order.ts'
import { runKey } from '../../actors/ids.ts'
import { createInquirySweeper } from '../../actors/inquiry/sweep.ts'
import { runActor } from '../../actors/run/actor.ts'
import type { RunCommand } from '../../actors/run/protocol.ts'
import type { RunState } from '../../actors/run/state.ts'
import { runStep } from '../../actors/run/steps.ts'
import type { StepPorts } from '../../actors/run/steps.ts'
import { createLease } from '../../actors/sweep/lease.ts'
import { createSweeper } from '../../actors/sweep/sweep.ts'
import { isFileThere } from '../../actors/upload/is-there.ts'
import { giveUpWith } from '../../actors/worker/give-up.ts'
import type { GiveUp } from '../../actors/worker/give-up.ts'
import { watchOutage } from '../../actors/worker/outage.ts'
import type { Outage } from '../../actors/worker/outage.ts'
import type { Domain } from './domain-ports.ts'
import { domainFor, fileOptions } from './domain.ts'
import type { FileNews, Platform } from './platform-parts.ts'
import { takeWebhooks } from './webhooks.ts'
import { takeInquiries } from './inquiries.ts'
import { startProcess } from './process.ts'
import { mustBeFailure, settleInGroups } from './settle.ts'
import { pauseIn, timerIn } from './pause.ts'
import { keepSentIn } from './sent.ts'
import { speechFor } from './speech.ts'
import { takeOneByOne } from './one-by-one.ts'

const chunkSlots = 2
const newsAtOnce = 8
const restartMs = 5000
/** At most every second of these it sweeps. */
const leaseSweeps = 4

/** A worker that cuts files, hears chunks, takes news in and may sweep; comes back when it dies. */
export function startSimWorker(platform: Platform, input: { name: string; sweeps: boolean }): void {
  const { world, oracle } = platform
  const process = startProcess(world, input.name)
  const domain = domainFor(platform, process)
  process.whenDead = () => {
    oracle.died(process)
    world.after(world.random.between(1, restartMs), () => startSimWorker(platform, input))
  }
  const workerId = `${input.name} since ${world.nowMs()}`
  let marks = 0
  const pauseAfter = pauseIn(world, process)
  const outage = storageOutage(domain, pauseAfter)
  const trial: Trial = {
    timer: timerIn(world, process),
    quarantine: createQuarantine(),
    workerId,
    survivals: platform.survivals.portFor(process),
    nextMarkId: () => `${workerId} ${(marks += 1)}`,
    pauseAfter,
    suspect: outage.suspect,
  }
  takeSteps(platform, domain, { outage, ...trial })
  takeChunks(platform, domain, { outage, ...trial })
  takeFileNews(platform, domain)
  takeBatchNews(platform, domain)
  takeWebhooks(platform, domain)
  takeInquiries(platform, domain, outage)
  if (input.sweeps && platform.broken !== 'no-sweeper') void keepSweeping(platform, domain)
}

function giveUpFor(platform: Platform, { process, file, batch }: Domain): GiveUp {
  const run = runActor({ ports: file, options: fileOptions(platform) })
  return giveUpWith({ run, webhooks: platform.webhooks.portFor(process), ...batch })
}

type Trial = Pick<TrialPorts, 'quarantine' | 'workerId' | 'survivals' | 'nextMarkId' | 'pauseAfter' | 'suspect'> &
  Pick<StepPorts, 'timer'>

interface Around extends Trial {
  readonly outage: Outage
}

function storageOutage({ file }: Domain, pauseAfter: Trial['pauseAfter']): Outage {
  const nothing = (): void => undefined
  const waits = { start: () => ({ update: nothing, done: nothing, fail: nothing }) }
  const check = (): Promise<void> => file.blobs.check()
  return watchOutage({ what: 'storage', code: 'storage_unavailable', check, waits, pauseAfter, log: file.log })
}

function takeSteps(platform: Platform, domain: Domain, { outage, ...trial }: Around): void {
  const { process, file, batch } = domain
  const settling = { platform, process, giveUp: giveUpFor(platform, domain).step }
  const {
    quota,
    retry,
    deathsMax,
    newsAfterMs,
    finishesShort,
    saveAudio,
    fileDeadlineMs: deadlineMs,
  } = platform.scenario.limits
  const there = { files: platform.files.portFor(process), runs: file.runs }
  const isWanted = (run: RunState): Promise<boolean> => isFileThere(there, run)
  const run = runActor({ ports: file, options: fileOptions(platform) })
  const ports = {
    run,
    isWanted,
    keepSent: keepSentIn(platform, domain),
    admitMeasured: (measured: RunState, seconds: number) => admitMeasured(batch, quota, { ...measured, seconds }),
    storageAnswers: () => file.blobs.check(),
    ...file,
    ...trial,
    ...speechFor(platform, process),
    ...(finishesShort && { transcribe: transcribeShort(platform, domain, trial) }),
  }
  const options = { retry, deathsMax, newsAfterMs, saveAudio }
  takeOneByOne(platform.fileQueue, { settling, slots: 1, deadlineMs, outage }, (hand) =>
    runStep({ ports, options }, hand),
  )
}

function transcribeShort(platform: Platform, domain: Domain, trial: Trial): NonNullable<StepPorts['transcribe']> {
  const { chunkDeadlineMs: deadlineMs } = platform.scenario.limits
  const transcribing = chunkTranscribing(platform, domain, trial)
  return (work, { settings, signal }) =>
    withDeadline(trial.timer, { deadlineMs, signal }, (soon) =>
      transcribeAtOnce(transcribing, work, { settings, signal: soon }),
    )
}

function chunkTranscribing(
  platform: Platform,
  { process, file }: Domain,
  trial: Trial,
): Parameters<typeof runChunk>[0] {
  const { retry, deathsMax, saveAudio, newsAfterMs } = platform.scenario.limits
  const ports = {
    storageAnswers: () => file.blobs.check(),
    orderOf: openOrders(file.runs, file.clock),
    transcribed: () => undefined,
    ...file,
    ...trial,
    ...speechFor(platform, process),
  }
  return { ports, options: { retry, deathsMax, saveAudio, newsAfterMs } }
}

function takeChunks(platform: Platform, domain: Domain, { outage, ...trial }: Around): void {
  const { process } = domain
  const settling = { platform, process, giveUp: giveUpFor(platform, domain).chunk }
  const { chunkDeadlineMs: deadlineMs } = platform.scenario.limits
  const transcribing = chunkTranscribing(platform, domain, trial)
  takeOneByOne(platform.chunkQueue, { settling, slots: chunkSlots, deadlineMs, outage }, (hand) =>
    runChunk(transcribing, hand),
  )
}

function takeFileNews(platform: Platform, domain: Domain): void {
  const { process, file: ports } = domain
  const giveUp = giveUpFor(platform, domain)
  const settling = { platform, process, giveUp: ({ ref }: FileNews, error: unknown) => giveUp.run(ref, error) }
  const run = runActor({ ports, options: fileOptions(platform) })
  platform.fileReports.consume({
    process,
    free: 1,
    most: newsAtOnce,
    deadlineMs: 0,
    handle: (ongoing) =>
      settleInGroups(settling, ongoing, {
        keyOf: ({ ref }) => runKey(ref),
        tell: ({ ref }, all) => {
          const commands = all.map(({ command }) => miscounted(platform, runKey(ref), command))
          return run.tell(ref, commands)
        },
      }),
  })
}

function takeBatchNews(platform: Platform, { process, batch: ports }: Domain): void {
  const batch = batchActor({ ports, options: { window: platform.scenario.limits.batchWindow } })
  platform.batchReports.consume({
    process,
    free: 1,
    most: newsAtOnce,
    deadlineMs: 0,
    handle: (ongoing) =>
      settleInGroups({ platform, process, giveUp: () => Promise.resolve() }, ongoing, {
        keyOf: ({ at }) => at.batchId,
        tell: ({ at }, all) => {
          const commands = all.map(({ command }) => command)
          return batch.tell(at, commands)
        },
      }),
  })
}

const counted = new WeakMap<Platform, Map<string, Set<number>>>()

/** The broken build that counts reports with a number: one that comes twice counts for another chunk. */
function miscounted(platform: Platform, key: string, command: RunCommand): RunCommand {
  if (platform.broken !== 'count-with-a-number' || command.type !== 'ChunkDone') return command
  const files = counted.get(platform) ?? new Map<string, Set<number>>()
  counted.set(platform, files)
  const chunks = files.get(key) ?? new Set<number>()
  files.set(key, chunks)
  let { chunk } = command
  while (chunks.has(chunk)) chunk += 1
  chunks.add(chunk)
  return { ...command, chunk }
}

async function keepSweeping(platform: Platform, { process, batch, inquiries, queues }: Domain): Promise<void> {
  const { world, scenario } = platform
  const { clock } = process
  const holder = `${process.name} since ${world.nowMs()}`
  const leaseMs = leaseSweeps * scenario.limits.sweepMs
  const lease = createLease({ leases: platform.leases.portFor(process), clock }, { key: 'sweeper', holder, leaseMs })
  const webhooks = platform.webhooks.portFor(process)
  const pause = (ms: number): Promise<void> => world.sleep(process, ms)
  const dropAcknowledged = (): Promise<number> => Promise.resolve(0)
  const sweeper = createSweeper({ webhooks, lease, dropAcknowledged, pause, ...batch, ...queues }, scenario.limits)
  const inquirySweeper = createInquirySweeper({ batches: batch.batches, ...inquiries }, scenario.limits.staleMs)
  for (;;) {
    await world.sleep(process, world.random.between(1, 2 * scenario.limits.sweepMs))
    try {
      await sweeper.sweep()
      if (scenario.inquiries && (await lease.hold())) await inquirySweeper.sweep()
    } catch (error) {
      mustBeFailure(world, error)
    }
  }
}

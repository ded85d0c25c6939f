import { start, stop } from 'nact'
import type { Ref } from 'nact'

import { withDeadline } from '../attempt/deadline.ts'
import { createQuarantine } from '../attempt/quarantine.ts'
import type { RetryPolicy } from '../attempt/retry.ts'
import { batchActor } from '../batch/actor.ts'
import type { BatchPorts } from '../batch/actor.ts'
import type { DayQuota } from '../batch/day-quota.ts'
import { admitMeasured } from '../batch/measured.ts'
import type { BatchCommand } from '../batch/protocol.ts'
import type { QuotaLimits } from '../batch/quota.ts'
import { keepSent } from '../batch/sent.ts'
import type { OpenBatch } from '../batch/state.ts'
import { transcribeAtOnce, runChunk } from '../chunk/actor.ts'
import type { ChunkPorts } from '../chunk/actor.ts'
import { openOrders } from '../chunk/order.ts'
import type { ChunkWork } from '../chunk/protocol.ts'
import { runKey } from '../ids.ts'
import type { RunRef } from '../ids.ts'
import { beginSubmitted } from '../inquiry/submitted.ts'
import { createInquirySweeper } from '../inquiry/sweep.ts'
import type { InquirySweepPorts } from '../inquiry/sweep.ts'
import { createLastSeen } from '../last-seen.ts'
import { createMailboxes, inTurns } from '../mailboxes.ts'
import type { Delivered, Records, Slotted } from '../ports.ts'
import { createRetaining } from '../retention/retention.ts'
import type { RetentionPorts } from '../retention/retention.ts'
import type { Retention } from '../retention/state.ts'
import { runActor } from '../run/actor.ts'
import type { RunPorts, RunWork } from '../run/ports.ts'
import type { RunCommand } from '../run/protocol.ts'
import type { RunState } from '../run/state.ts'
import { runStep } from '../run/steps.ts'
import type { StepPorts } from '../run/steps.ts'
import { startSweepActor } from '../sweep/actor.ts'
import { createLease } from '../sweep/lease.ts'
import type { LeaseRecord } from '../sweep/lease.ts'
import { createSweeper } from '../sweep/sweep.ts'
import type { SweepPorts } from '../sweep/sweep.ts'
import { isFileThere } from '../upload/is-there.ts'
import type { FileRecords } from '../upload/ports.ts'
import { runWebhook } from '../webhook/call.ts'
import type { WebhookPorts } from '../webhook/call.ts'
import type { WebhookWork } from '../webhook/protocol.ts'
import { giveUpWith } from './give-up.ts'
import type { GiveUp } from './give-up.ts'
import { measureThroughput } from './throughput.ts'
import type { Waits } from './waits.ts'

export type WorkerPorts = Omit<BatchPorts, 'seenRuns'> &
  Pick<SweepPorts, 'fileQueue' | 'chunkQueue' | 'webhookQueue' | 'dropAcknowledged' | 'pause'> &
  Omit<RetentionPorts, 'lease'> &
  Pick<InquirySweepPorts, 'openInquiries' | 'inquiryQueue'> &
  WebhookPorts &
  Omit<RunPorts, 'batch' | 'seenRuns' | 'beginInquiries'> &
  Omit<StepPorts, 'run' | 'isWanted' | 'keepSent' | 'admitMeasured' | 'quarantine' | 'transcribe'> &
  Omit<ChunkPorts, 'orderOf' | 'transcribed' | 'quarantine'> & {
    readonly files: FileRecords
    readonly dayQuota?: DayQuota
    readonly leases: Records<LeaseRecord>
    readonly workerId: string
    /** Models that are fetched or opened. */
    readonly waits: Waits
  }

export interface WorkerOptions {
  readonly fileWindow: number
  readonly batchWindow: number
  readonly fileRetry: RetryPolicy
  readonly chunkRetry: RetryPolicy
  readonly webhookRetry: RetryPolicy
  readonly deathsMax: number
  readonly saveAudio: boolean
  /** Work that takes longer is told to be under way. */
  readonly newsAfterMs: number
  /** Of an attempt at a chunk that has no message of its own. */
  readonly chunkDeadlineMs: number
  /** Whether this worker transcribes at all. */
  readonly transcribes: boolean
  readonly staleMs: number
  readonly sweepMs: number
  readonly retention: Retention
  readonly quota: QuotaLimits
}

/** What a worker does with what the queues give it. Each resolves when it may be acknowledged. */
export interface WorkerActor {
  step(delivered: Slotted<RunWork>): Promise<void>
  chunk(delivered: Delivered<ChunkWork>): Promise<void>
  webhook(delivered: Delivered<WebhookWork>): Promise<void>
  tellFile(ref: RunRef, commands: readonly RunCommand[]): Promise<void>
  tellBatch(at: OpenBatch, commands: readonly BatchCommand[]): Promise<void>
  /** For what the queues set aside. */
  readonly giveUp: GiveUp
  /** Begins to look after what was forgotten. */
  keepSweeping(): void
  /** Seconds of audio transcribed in a second of work; nothing until something was transcribed. */
  heardPerSecond(): number | undefined
  stop(): Promise<void>
}

/** How often a chunk's message may vanish: it never should, so a few times is a lot. */
const lostMax = 5
/** Who did not sweep for so many times is taken to be gone. */
const leaseSweeps = 3
/** Longer than any submission takes. */
const orphanMs = 10 * 60_000

export function startWorkerActor(ports: WorkerPorts, options: WorkerOptions): WorkerActor {
  const system = start()
  const { log } = ports
  const throughput = measureThroughput(ports.clock, () => ports.waits.waitedMs())
  const quarantine = createQuarantine()
  const { deathsMax, saveAudio, newsAfterMs } = options
  const { batch, run } = recordActors(system, ports, options)
  const orderOf = openOrders(ports.runs, ports.clock)
  const chunkOptions = { deathsMax, saveAudio, newsAfterMs, retry: options.chunkRetry }
  /** While a chunk is in hand, however it came. */
  async function transcribing<Value>(
    transcribe: (input: Parameters<typeof runChunk>[0]) => Promise<Value>,
  ): Promise<Value> {
    const held = throughput.begin()
    const transcribed = ({ audioSeconds }: { audioSeconds: number }): void => held.transcribed(audioSeconds)
    const chunkPorts = { ...ports, quarantine, transcribed, orderOf }
    return transcribe({ ports: chunkPorts, options: chunkOptions }).finally(() => held.end())
  }
  const transcribe: StepPorts['transcribe'] = (work, { settings, signal }) =>
    withDeadline(ports.timer, { deadlineMs: options.chunkDeadlineMs, signal }, (soon) =>
      transcribing((input) => transcribeAtOnce(input, work, { settings, signal: soon })),
    )
  const stepping = {
    ports: {
      ...ports,
      run,
      quarantine,
      isWanted: (file: RunState) => isFileThere(ports, file),
      keepSent: (work: RunWork) => keepSent({ ...ports, batch }, work),
      admitMeasured: (file: RunState, seconds: number) => admitMeasured(ports, options.quota, { ...file, seconds }),
      ...(options.transcribes && { transcribe }),
    },
    options: { deathsMax, newsAfterMs, saveAudio, retry: options.fileRetry },
  }
  const chunks = createMailboxes(system, {
    name: 'chunks',
    log,
    keyOf: ({ work }: Delivered<ChunkWork>) => `${runKey(work)}.${work.chunk}`,
    handle: (delivered) => transcribing((input) => runChunk(input, delivered)),
  })
  const sweepers: { stop(): Promise<void> }[] = []

  return {
    step: (delivered) => runStep(stepping, delivered),
    chunk: (delivered) => chunks.send(delivered),
    webhook: (delivered) => runWebhook({ ports, options: { retry: options.webhookRetry } }, delivered),
    tellFile: async (ref, commands) => void (await run.tell(ref, commands)),
    tellBatch: async (at, commands) => void (await batch.tell(at, commands)),
    giveUp: giveUpWith({ ...ports, run }),
    keepSweeping: () => void sweepers.push(startSweeping(system, ports, options)),
    heardPerSecond: () => throughput.perSecond(),
    async stop() {
      await Promise.all(sweepers.map((one) => one.stop()))
      stop(system)
    },
  }
}

/** They share what was last seen of runs: who takes up a run that was made here need not read it. */
function recordActors(system: Ref<never>, ports: WorkerPorts, options: WorkerOptions) {
  const { log } = ports
  const seenRuns = createLastSeen<RunState>()
  const batchOptions = { window: options.batchWindow }
  const runOptions = { window: options.fileWindow, lostMax, saveAudio: options.saveAudio }
  const batch = inTurns(system, {
    name: 'batches',
    log,
    actor: batchActor({ ports: { ...ports, seenRuns }, options: batchOptions }),
  })
  const beginInquiries = (one: RunState): Promise<void> => beginSubmitted(ports, one)
  const run = inTurns(system, {
    name: 'runs',
    log,
    actor: runActor({ ports: { ...ports, seenRuns, batch, beginInquiries }, options: runOptions }),
  })
  return { batch, run }
}

function startSweeping(system: Ref<never>, ports: WorkerPorts, options: WorkerOptions): { stop(): Promise<void> } {
  const { log } = ports
  const { staleMs, sweepMs: everyMs } = options
  const lease = createLease(ports, { key: 'sweeper', holder: ports.workerId, leaseMs: leaseSweeps * everyMs })
  const sweeper = createSweeper({ ...ports, lease }, { staleMs, orphanMs })
  const inquiries = createInquirySweeper(ports, staleMs)
  const retaining = createRetaining({ ...ports, lease }, options.retention)
  const sweeps = startSweepActor(system, {
    everyMs,
    log,
    async sweep() {
      const woken = await sweeper.sweep()
      const asked = (await lease.hold()) ? await inquiries.sweep() : 0
      await retaining.apply()
      return woken + asked
    },
  })
  return {
    async stop() {
      await sweeps.stop()
      await lease.release().catch((error: unknown) => log.info('the next sweeper has to wait', { error }))
    },
  }
}

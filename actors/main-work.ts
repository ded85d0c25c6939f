import { availableParallelism } from 'node:os'

import type { Config } from '../infra/config/config.ts'
import { runWork } from '../infra/nats/queue/run-work.ts'
import type { RunningWork } from '../infra/nats/queue/run-work.ts'
import { chunkQueue, fileQueue, inquiryQueue, webhookQueue } from '../infra/nats/queue/work-kinds.ts'
import type { BrokerClient } from '../infra/nats/records/stores.ts'
import { runReports } from '../infra/nats/reports/run-reports.ts'
import { openSessionWay } from '../infra/process/session-way.ts'
import type { SessionWay } from '../infra/process/session-way.ts'
import { filesAtOnce } from '../infra/speech/engine/open-engine.ts'
import { isPatient } from '../infra/speech/threads/model-time.ts'
import type { WorkSignals } from '../infra/telemetry/work-signals.ts'
import { systemClock } from '../infra/timing/clock.ts'
import { systemTimer } from '../infra/timing/timer.ts'
import type { InquiryWorker } from './inquiry/work.ts'
import type { Log, Slotted, WorkOf } from './ports.ts'
import type { WorkerActor } from './worker/actor.ts'
import type { Outage } from './worker/outage.ts'

/** One is heard, one is on its way in, one on its way out: with fewer a core waits for the broker. */
const slotsPerCore = 3
/** A step that has gone on for so long goes on for longer: whoever has a clip is not to wait until a recording of hours is cut. */
const longStepMs = 2_000
/** Calls to users' servers that one worker has under way: they wait, and compute nothing. */
const webhookSlots = 8

interface Draining {
  drain(graceMs: number): Promise<void>
}

interface Taking extends TakeWorkOptions {
  readonly actor: WorkerActor
  readonly way: SessionWay
}

interface TakeWorkOptions {
  /** Absent where there is no chat endpoint: what is asked of one waits for a worker that has it. */
  readonly inquiries: InquiryWorker | undefined
  readonly config: Config
  readonly client: BrokerClient
  readonly log: Log
  readonly outage: Outage
  readonly signals: WorkSignals
}

/** What a worker takes up, from which queues, until it drains. */
export function takeWork(actor: WorkerActor, options: TakeWorkOptions): Draining[] {
  const { workerMode, workerNiceness } = options.config
  const taking = { ...options, actor, way: openSessionWay(workerNiceness, systemTimer) }
  const running: Draining[] = []
  if (workerMode !== 'chunk') {
    actor.keepSweeping()
    running.push(takeReports(taking), takeFiles(taking), takeWebhooks(taking))
  }
  if (workerMode !== 'file') running.push(takeChunks(taking))
  if (options.inquiries) running.push(takeInquiries(taking, options.inquiries))
  return running
}

/** A short file is transcribed in the slot in which it was cut: with fewer a core waits while it is fetched or written down. */
export function fileSlotsOf({ workerFileSlots }: Pick<Config, 'workerFileSlots'>): number {
  return workerFileSlots || filesAtOnce()
}

function takeReports(taking: Taking): Draining {
  const { actor } = taking
  return runReports({
    ...commonOf(taking),
    handle: (group) =>
      group.to === 'file' ? actor.tellFile(group.ref, group.commands) : actor.tellBatch(group, group.commands),
    giveUp: async (group, error) => {
      // a batch has no outcome of its own: it waits for its files, and the sweeper comes by
      if (group.to === 'file') await actor.giveUp.run(group.ref, error)
    },
  })
}

function takeFiles(taking: Taking): Draining {
  const { actor, config, outage, signals, way } = taking
  const slots = fileSlotsOf(config)
  const running = runWork({
    ...commonOf(taking),
    isPaused: () => outage.isOn(),
    isPatient: ({ owner }, heldMs) => heldMs > longStepMs || isPatient(owner),
    queue: fileQueue,
    slots,
    deadlineMs: config.fileDeadlineSeconds * 1000,
    handle: signals.watched(
      ({ step }) => step,
      noticing(
        outage,
        hurrying(way, (delivered) => actor.step(delivered)),
      ),
    ),
    giveUp: actor.giveUp.step,
  })
  return seen(taking, { kind: 'file', slots, running })
}

function takeChunks(taking: Taking): Draining {
  const { actor, config, outage, signals, way } = taking
  const slots = config.workerChunkSlots || slotsPerCore * availableParallelism()
  const running = runWork({
    ...commonOf(taking),
    isPaused: () => outage.isOn(),
    isPatient: ({ owner }) => isPatient(owner),
    queue: chunkQueue,
    slots,
    deadlineMs: config.chunkDeadlineSeconds * 1000,
    handle: signals.watched(
      () => 'chunk',
      noticing(
        outage,
        hurrying(way, (delivered) => actor.chunk(delivered)),
      ),
    ),
    giveUp: actor.giveUp.chunk,
  })
  return seen(taking, { kind: 'chunk', slots, running })
}

function takeWebhooks(taking: Taking): Draining {
  const { actor, config, signals } = taking
  const running = runWork({
    ...commonOf(taking),
    queue: webhookQueue,
    slots: webhookSlots,
    // resolving, connecting and answering, and time to write it down
    deadlineMs: 2 * config.webhookTimeoutSeconds * 1000,
    handle: signals.watched(
      () => 'webhook',
      (delivered) => actor.webhook(delivered),
    ),
    giveUp: actor.giveUp.webhook,
  })
  return seen(taking, { kind: 'webhook', slots: webhookSlots, running })
}

function takeInquiries(taking: Taking, inquiries: InquiryWorker): Draining {
  const { config, outage, signals } = taking
  const { inquirySlots: slots } = config
  const running = runWork({
    ...commonOf(taking),
    isPaused: () => outage.isOn(),
    queue: inquiryQueue,
    slots,
    deadlineMs: config.inquiryDeadlineSeconds * 1000,
    handle: signals.watched(
      () => 'inquiry',
      noticing(outage, (delivered) => inquiries.run(delivered)),
    ),
    giveUp: inquiries.giveUp,
  })
  return seen(taking, { kind: 'inquiry', slots, running })
}

function commonOf({ client, config: { ackWaitMs }, log }: Taking) {
  return { client, ackWaitMs, clock: systemClock, log }
}

/** Storage that is away is noticed by whoever needs it. */
function noticing<Work>(outage: Outage, handle: (delivered: Slotted<Work>) => Promise<void>) {
  return (delivered: Slotted<Work>): Promise<void> =>
    handle(delivered).catch((error: unknown) => {
      outage.suspect(error)
      throw error
    })
}

/** A worker gives way to requests and conversations, but not with what is for somebody who had little lately: they wait for it. */
function hurrying<Work extends WorkOf>(way: SessionWay, handle: (delivered: Slotted<Work>) => Promise<void>) {
  return (delivered: Slotted<Work>): Promise<void> =>
    isPatient(delivered.work.owner) ? handle(delivered) : way.hurried(() => handle(delivered))
}

function seen({ signals }: Taking, input: { kind: string; slots: number; running: RunningWork }): RunningWork {
  const { kind, slots, running } = input
  signals.slots(kind, { all: slots, taken: () => running.handling() })
  return running
}

import { availableParallelism } from 'node:os'

import type { Config } from '../infra/config/config.ts'
import { runWork } from '../infra/nats/queue/run-work.ts'
import { chunkQueue, fileQueue, webhookQueue } from '../infra/nats/queue/work-kinds.ts'
import type { BrokerClient } from '../infra/nats/records/stores.ts'
import { runReports } from '../infra/nats/reports/run-reports.ts'
import { systemClock } from '../infra/timing/clock.ts'
import type { Log, Slotted } from './ports.ts'
import type { WorkerActor } from './worker/actor.ts'
import type { Outage } from './worker/outage.ts'

/** One is heard, one is on its way in, one on its way out: with fewer a core waits for the broker. */
const slotsPerCore = 3
/** Calls to users' servers that one worker has under way: they wait, and compute nothing. */
const webhookSlots = 8

interface Draining {
  drain(graceMs: number): Promise<void>
}

interface TakeWorkOptions {
  readonly config: Config
  readonly client: BrokerClient
  readonly log: Log
  readonly outage: Outage
}

/** What a worker takes up, from which queues, until it drains. */
export function takeWork(actor: WorkerActor, { config, client, log, outage }: TakeWorkOptions): Draining[] {
  const { workerMode, ackWaitMs } = config
  const common = { client, ackWaitMs, clock: systemClock, log }
  const needsStorage = { ...common, isPaused: () => outage.isOn() }
  const noticing =
    <Work>(handle: (delivered: Slotted<Work>) => Promise<void>) =>
    (delivered: Slotted<Work>): Promise<void> =>
      handle(delivered).catch((error: unknown) => {
        outage.suspect(error)
        throw error
      })
  const running: Draining[] = []
  if (workerMode !== 'chunk') {
    actor.keepSweeping()
    running.push(
      runReports({
        ...common,
        handle: (group) =>
          group.to === 'file' ? actor.tellFile(group.ref, group.commands) : actor.tellBatch(group, group.commands),
        giveUp: async (group, error) => {
          // a batch has no outcome of its own: it waits for its files, and the sweeper comes by
          if (group.to === 'file') await actor.giveUp.run(group.ref, error)
        },
      }),
      runWork({
        ...needsStorage,
        queue: fileQueue,
        slots: config.workerFileSlots,
        deadlineMs: config.fileDeadlineSeconds * 1000,
        handle: noticing((delivered) => actor.step(delivered)),
        giveUp: actor.giveUp.step,
      }),
      runWork({
        ...common,
        queue: webhookQueue,
        slots: webhookSlots,
        // resolving, connecting and answering, and time to write it down
        deadlineMs: 2 * config.webhookTimeoutSeconds * 1000,
        handle: (delivered) => actor.webhook(delivered),
        giveUp: actor.giveUp.webhook,
      }),
    )
  }
  if (workerMode !== 'file')
    running.push(
      runWork({
        ...needsStorage,
        queue: chunkQueue,
        slots: config.workerChunkSlots || slotsPerCore * availableParallelism(),
        deadlineMs: config.chunkDeadlineSeconds * 1000,
        handle: noticing((delivered) => actor.chunk(delivered)),
        giveUp: actor.giveUp.chunk,
      }),
    )
  return running
}

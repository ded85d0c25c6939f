import type { Log } from '../../../actors/ports.ts'
import { settledWithin } from '../../timing/settled-within.ts'
import { aWakeUp } from '../../timing/wake-up.ts'
import { answerWithinMs } from '../connection/ask.ts'
import { openConsumerSource } from '../queue/consumer-source.ts'
import type { Delivery } from '../queue/delivery.ts'
import type { WorkerClient } from '../queue/run-work.ts'
import { ownedForMs, shardOwner, shardPlans } from '../topology/consumers.ts'
import type { ConsumerPlan } from '../topology/consumers.ts'
import type { ReportGroup } from './report-groups.ts'
import { openOngoingReports } from './ongoing-reports.ts'

interface RunReportsOptions {
  readonly client: WorkerClient
  /** Acknowledged when it resolves, told again when it rejects. In this process, one record is told one at a time. */
  readonly handle: (group: ReportGroup) => Promise<void>
  /** What these reports are about hears nothing of them: they can never be handled. */
  readonly giveUp: (group: ReportGroup, error: unknown) => Promise<void>
  readonly ackWaitMs: number
  readonly log: Log
}

interface RunningReports {
  /** Takes no more, lets what is begun finish within `graceMs`, then hands it back. */
  drain(graceMs: number): Promise<void>
}

/** Of one shard, at the same time. */
const inHandMax = 64
/** Of the time for which a shard is owned: a pull is made anew before that is over, and dies without a word with the node that has it. */
const longPollPart = 0.8
const pauseMs = 1_000
/** How often it looks whether the broker is away: then nobody answers the pull that is under way. */
const tickMs = 250

export function runReports(options: RunReportsOptions): RunningReports {
  const shards = shardPlans(options.ackWaitMs).map((plan) => runShard(plan, options))
  return {
    async drain(graceMs) {
      await Promise.all(shards.map((shard) => shard.drain(graceMs)))
      await settledWithin([options.client.connection.flush().catch(() => undefined)], answerWithinMs)
    },
  }
}

function runShard(plan: ConsumerPlan, { client, handle, giveUp, ackWaitMs, log }: RunReportsOptions): RunningReports {
  const { connection, jsm, isAway = () => false } = client
  const wakeUp = aWakeUp()
  const ongoing = openOngoingReports({ client, handle, giveUp, ackWaitMs, log, freed: () => wakeUp.ring() })
  const source = openConsumerSource({
    connection,
    jsm,
    plan,
    log,
    group: shardOwner,
    late: (delivery) => delivery.nak(),
  })
  const stopping = new AbortController()
  const longPollMs = Math.round(ownedForMs(ackWaitMs) * longPollPart)

  const gathered: Delivery[] = []
  /** What comes together is told together. */
  const gather = (delivery: Delivery): void => {
    if (gathered.push(delivery) === 1) setImmediate(() => ongoing.begin(gathered.splice(0)))
  }
  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const room = inHandMax - ongoing.count() - gathered.length
      const isOver =
        room > 0 && !isAway() && (await source.receive({ batch: room, expiresMs: longPollMs, each: gather })) === 'over'
      if (!isOver) await wakeUp.heard(pauseMs)
    }
  }
  const looping = loop()
  const ticks = setInterval(() => {
    if (isAway()) source.giveUp()
  }, tickMs)
  return {
    async drain(graceMs) {
      stopping.abort()
      wakeUp.ring()
      clearInterval(ticks)
      await source.close()
      await looping
      await ongoing.empty(graceMs)
    },
  }
}

import type { NatsConnection } from 'nats'

import type { Clock, Log, Slotted } from '../../../actors/ports.ts'
import { watchLag } from '../../timing/event-loop-lag.ts'
import { aWakeUp } from '../../timing/wake-up.ts'
import type { RecordsClient } from '../records/client.ts'
import type { WorkRef } from '../topology/queue-names.ts'
import type { Delivery } from './delivery.ts'
import { openLevels } from './levels.ts'
import { openOngoingWork } from './ongoing-work.ts'
import type { WorkKind } from './work-kinds.ts'

export interface WorkerClient extends RecordsClient {
  readonly connection: NatsConnection
}

interface RunWorkOptions<Work extends WorkRef> {
  readonly client: WorkerClient
  readonly queue: WorkKind<Work>
  /** Pieces of work in hand at the same time, but for those that wait for others and a spare one; never is more pulled than can be begun at once (T1). */
  readonly slots: number
  readonly handle: (delivered: Slotted<Work>) => Promise<void>
  /** Tells whoever waits for this work that it can never be done. */
  readonly giveUp: (work: Work, error: unknown) => Promise<void>
  /** Of the consumers: silence for this long gives the work to another. */
  readonly ackWaitMs: number
  readonly deadlineMs: number
  /** Whether others may go before it, which has been held for so long: it is of somebody who had much lately, say. None may unless told. */
  readonly isPatient?: (work: Work, heldMs: number) => boolean
  /** While true nothing is taken up. */
  readonly isPaused?: () => boolean
  readonly clock: Clock
  readonly log: Log
}

export interface RunningWork {
  handling(): number
  /** Takes no more, lets what is begun finish within `graceMs`, then stops it and hands it back. */
  drain(graceMs: number): Promise<void>
}

/** How often it looks whether it may work again; nobody is asked for that. */
const tickMs = 250
/** What a worker died with is back after an ack wait, and nobody calls for it. */
const lookPartOfAckWait = 2 / 3

export function runWork<Work extends WorkRef>(options: RunWorkOptions<Work>): RunningWork {
  const { client, queue, clock, isPaused = () => false, isPatient = () => false } = options
  const { connection, isAway = () => false } = client
  const wakeUp = aWakeUp()
  const lag = watchLag(clock)
  const ongoing = openOngoingWork({ ...options, isPatient, connection, freed: () => wakeUp.ring() })
  const stopping = new AbortController()
  const isTimeToLook = everySoOften(clock, options.ackWaitMs * lookPartOfAckWait)
  let promised = 0

  const take = (delivery: Delivery): void => {
    const { first, others } = ongoing.room()
    if (stopping.signal.aborted || first <= promised) delivery.nak()
    else ongoing.begin(delivery, others <= promised)
  }
  // also without separate queues: what was put there before the setting changed must not stay there
  const streams = queue.retries ? [queue.primary, queue.retries] : [queue.primary]
  const queues = streams.map((stream) =>
    openLevels({ ...options, ...client, stream, late: take, ring: () => wakeUp.ring() }),
  )

  /** Whether something was taken; then the primary queue is asked first again. */
  const fill = async (): Promise<boolean> => {
    for (const levels of queues) {
      const free = ongoing.room()
      if (free.first <= 0) return true
      promised = free.first
      const deliveries = await levels.take(free)
      promised = 0
      for (const delivery of deliveries) take(delivery)
      if (deliveries.length > 0) return true
    }
    return false
  }
  const suspectNowAndThen = (): void => {
    // calls that came while it was away are lost
    if (isTimeToLook(isAway())) for (const levels of queues) levels.suspect()
  }
  const isReady = (): boolean => ongoing.room().first > 0 && !lag.isLagging() && !isAway() && !isPaused()
  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      suspectNowAndThen()
      if (!isReady() || !(await fill())) await wakeUp.heard(tickMs)
    }
  }
  const looping = loop()
  return {
    handling: () => ongoing.count(),
    async drain(graceMs) {
      stopping.abort()
      wakeUp.ring()
      await looping
      await ongoing.empty(graceMs)
      await Promise.all(queues.map((levels) => levels.close()))
      lag.close()
    },
  }
}

/** True when so long has passed since it last was, or at once when there is reason. */
function everySoOften(clock: Clock, everyMs: number): (hasReason: boolean) => boolean {
  let lastMs = clock.elapsedMs()
  return (hasReason) => {
    const nowMs = clock.elapsedMs()
    if (!hasReason && nowMs - lastMs < everyMs) return false
    lastMs = nowMs
    return true
  }
}

import type { NatsConnection } from 'nats'

import type { Clock, Delivered, Log } from '../../../actors/ports.ts'
import { watchLag } from '../../timing/event-loop-lag.ts'
import { aWakeUp } from '../../timing/wake-up.ts'
import type { RecordsClient } from '../records/client.ts'
import { dueSubjects } from '../topology/queue-names.ts'
import type { WorkRef } from '../topology/queue-names.ts'
import type { Delivery } from './delivery.ts'
import { openLanes } from './lanes.ts'
import { openOngoingWork } from './ongoing-work.ts'
import type { WorkKind } from './work-kinds.ts'

export interface WorkerClient extends RecordsClient {
  readonly connection: NatsConnection
}

interface RunWorkOptions<Work extends WorkRef> {
  readonly client: WorkerClient
  readonly queue: WorkKind<Work>
  /** Pieces of work in hand at the same time; never is more pulled than can be begun at once (T1). */
  readonly slots: number
  readonly handle: (delivered: Delivered<Work>) => Promise<void>
  /** Tells whoever waits for this work that it can never be done. */
  readonly giveUp: (work: Work, error: unknown) => Promise<void>
  /** Of the consumers: silence for this long gives the work to another. */
  readonly ackWaitMs: number
  readonly deadlineMs: number
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

/** Nobody calls when a delayed message becomes due. */
const pollMs = 1_000
/** A call may come before what it calls for is stored. */
const recheckMs = 100

export function runWork<Work extends WorkRef>(options: RunWorkOptions<Work>): RunningWork {
  const { client, queue, slots, clock, isPaused = () => false } = options
  const { connection, isAway = () => false } = client
  const wakeUp = aWakeUp()
  const lag = watchLag(clock)
  const ongoing = openOngoingWork({ ...options, connection, freed: () => wakeUp.ring() })
  const stopping = new AbortController()
  let promised = 0

  const take = (delivery: Delivery): void => {
    if (stopping.signal.aborted || ongoing.count() + promised >= slots) delivery.nak()
    else ongoing.begin(delivery)
  }
  // also without separate queues: what was put there before the setting changed must not stay there
  const streams = queue.retries ? [queue.primary, queue.retries] : [queue.primary]
  const queues = streams.map((stream) => openLanes({ ...options, ...client, stream, late: take }))
  const calls = streams.map((stream) => connection.subscribe(dueSubjects(stream), { callback: () => wakeUp.ring() }))

  /** Whether there may be more; then the primary queue is asked first again. */
  const fill = async (): Promise<boolean> => {
    for (const lanes of queues) {
      promised = slots - ongoing.count()
      if (promised <= 0) return true
      const { deliveries, isTroubled } = await lanes.take(promised)
      promised = 0
      for (const delivery of deliveries) take(delivery)
      if (deliveries.length > 0) return true
      if (isTroubled) return false
    }
    return false
  }
  const isReady = (): boolean => ongoing.count() < slots && !lag.isLagging() && !isAway() && !isPaused()
  const loop = async (): Promise<void> => {
    let isCalled = false
    while (!stopping.signal.aborted)
      if (!isReady() || !(await fill())) isCalled = await wakeUp.heard(isCalled ? recheckMs : pollMs)
  }
  const looping = loop()
  return {
    handling: () => ongoing.count(),
    async drain(graceMs) {
      stopping.abort()
      wakeUp.ring()
      await looping
      for (const lanes of queues) lanes.close()
      for (const call of calls) call.unsubscribe()
      lag.close()
      await ongoing.empty(graceMs)
    },
  }
}

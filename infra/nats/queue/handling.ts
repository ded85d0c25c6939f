import { deadlineExceeded } from '../../../actors/attempt/deadline.ts'
import { retryable } from '../../../actors/failure.ts'
import type { FailureError } from '../../../actors/failure.ts'
import type { Log, Slotted } from '../../../actors/ports.ts'
import type { WorkRef } from '../topology/queue-names.ts'
import type { Delivery } from './delivery.ts'
import { keepAlive } from './keep-alive.ts'
import type { PublishClient } from './publish.ts'
import { refuseDelivery } from './refuse-delivery.ts'
import type { WorkSlots } from './work-slots.ts'

/** One piece of work while its handler runs. */
export interface Handling {
  /** Resolves when the handler has settled; never rejects. */
  readonly handled: Promise<void>
  /** The broker knows; never rejects either. */
  readonly answered: Promise<void>
  /** Asks the handler to leave off. */
  stop(): void
  /** To another worker, whatever the handler does. */
  handBack(): void
}

export interface HandlingOptions<Work> {
  readonly client: PublishClient
  readonly handle: (delivered: Slotted<Work>) => Promise<void>
  /** Tells whoever waits for this work that it will not be done. */
  readonly giveUp: (work: Work, error: unknown) => Promise<void>
  readonly ackWaitMs: number
  readonly deadlineMs: number
  readonly aside: WorkSlots['aside']
  readonly isSpare: boolean
  readonly log: Log
}

export function startHandling<Work extends WorkRef>(
  delivery: Delivery,
  work: Work,
  options: HandlingOptions<Work>,
): Handling {
  const { client, handle, giveUp, isSpare, log } = options
  const { deliveries, mayBeForgotten = false, cause } = delivery
  const facts = { ...plainIn(work), deliveries }
  const stopping = new AbortController()
  const rest = watchOver(delivery, {
    ...options,
    exceeded: (failure) => stopping.abort(failure),
    gaveUp: () => log.error('work does not end at its deadline and is left to another worker', facts),
  })
  let isStopped = false
  let isHandedBack = false

  const run = async (): Promise<{ readonly error: unknown } | undefined> => {
    try {
      const { signal } = stopping
      const aside = <Value>(wait: () => Promise<Value>): Promise<Value> => options.aside(wait, signal)
      await handle({ work, deliveries, mayBeForgotten, signal, ...(cause && { cause }), aside, isSpare })
      return undefined
    } catch (error) {
      log.warn('work was not done', { ...facts, error })
      return { error }
    } finally {
      rest()
    }
  }
  const done = run()
  const answer = async (): Promise<void> => {
    const failed = await done
    if (isHandedBack) return
    if (failed && isStopped) return delivery.nak()
    if (failed) {
      // who was told to leave off did, and nothing is wrong with the work
      const reason = stopping.signal.aborted ? outOfTime : failed.error
      return refuseDelivery(delivery, { client, error: reason, giveUp: (error) => giveUp(work, error), facts, log })
    }
    await delivery.ack().catch((error: unknown) => {
      log.info('nobody confirmed that work is done; it may come again', { ...facts, error })
    })
  }
  return {
    handled: done.then(() => undefined),
    answered: answer(),
    stop() {
      isStopped = true
      stopping.abort()
    },
    handBack() {
      isHandedBack = true
      rest()
      delivery.nak()
    },
  }
}

/** What tells this work from other work: not the records that came with it. */
function plainIn(work: object): object {
  return Object.fromEntries(Object.entries(work).filter(([, value]) => typeof value !== 'object'))
}

const outOfTime = retryable('deadline_exceeded', 'It had no turn while there was time.')

interface WatchOptions {
  readonly ackWaitMs: number
  readonly deadlineMs: number
  readonly exceeded: (failure: FailureError) => void
  readonly gaveUp: () => void
}

/** Who has exceeded the deadline gets one ack wait to say so. */
function watchOver(delivery: Delivery, { ackWaitMs, deadlineMs, exceeded, gaveUp }: WatchOptions): () => void {
  const stopBeating = keepAlive([delivery], { ackWaitMs, limitMs: deadlineMs + ackWaitMs, gaveUp })
  const deadline = setTimeout(() => exceeded(deadlineExceeded(deadlineMs)), deadlineMs)
  return () => {
    clearTimeout(deadline)
    stopBeating()
  }
}

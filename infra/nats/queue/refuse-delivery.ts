import { delayBeforeAgainMs, isHopeless } from '../../../actors/attempt/hopeless.ts'
import { isRetryable } from '../../../actors/failure.ts'
import type { Log } from '../../../actors/ports.ts'
import { bury } from './dead-letters.ts'
import type { Delivery } from './delivery.ts'
import type { PublishClient } from './publish.ts'

interface Refusal {
  readonly client: PublishClient
  readonly error: unknown
  /** Tells whoever waits for it that it will not be done; nobody does when it is not known what it was. */
  readonly giveUp?: (error: unknown) => Promise<void>
  readonly facts: object
  readonly log: Log
}

/**
 * A message that was not handled comes again; or, when it never can be, becomes a dead letter, and whoever waits for it is told.
 * It leaves the queue last, so that a crash before repeats all of it.
 */
export async function refuseDelivery(delivery: Delivery, refusal: Refusal): Promise<void> {
  const { client, error, giveUp, facts, log } = refusal
  const { deliveries } = delivery
  if (!isHopeless(error, deliveries)) return delivery.nak(delayBeforeAgainMs(error, deliveries))
  try {
    await bury(client, delivery, error)
    await giveUp?.(error).catch((cause: unknown) => {
      if (isRetryable(cause)) throw cause
      // the sweeper comes by, and it is set aside again
      log.error('nobody could be told that work was set aside', { ...facts, error: cause })
    })
    log.error('work can never be done and is a dead letter now', { ...facts, error })
    delivery.term('it is a dead letter')
  } catch (cause) {
    log.warn('work that can never be done could not be set aside and comes again', { ...facts, error: cause })
    delivery.nak(delayBeforeAgainMs(cause, deliveries))
  }
}

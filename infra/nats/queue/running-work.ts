import type { NatsConnection } from 'nats'

import type { Log } from '../../../actors/ports.ts'
import { settledWithin } from '../../timing/settled-within.ts'
import { answerWithinMs } from '../connection/ask.ts'
import type { WorkRef } from '../topology/queue-names.ts'
import type { Delivery } from './delivery.ts'
import { takeInHand } from './handling.ts'
import type { HandOptions, InHand } from './handling.ts'
import type { WorkKind } from './work-kinds.ts'

/** All the work that this process has begun. */
export interface Hands {
  count(): number
  begin(delivery: Delivery): void
  /** Lets it finish within `graceMs`, then stops it, and hands back what does not stop. */
  empty(graceMs: number): Promise<void>
}

interface HandsOptions<Work extends WorkRef> extends HandOptions<Work> {
  readonly connection: NatsConnection
  readonly queue: WorkKind<Work>
  readonly log: Log
  /** A handler has settled. */
  readonly freed: () => void
}

const stopWithinMs = 1_000

export function openHands<Work extends WorkRef>(options: HandsOptions<Work>): Hands {
  const { connection, queue, log, freed } = options
  const held = new Set<InHand>()
  // a slot is free before the broker has confirmed that its work is done
  const answering = new Set<Promise<void>>()

  const hold = (inHand: InHand): void => {
    held.add(inHand)
    answering.add(inHand.answered)
    void inHand.handled.then(() => {
      held.delete(inHand)
      freed()
    })
    void inHand.answered.then(() => answering.delete(inHand.answered))
  }
  return {
    count: () => held.size,
    begin(delivery) {
      const work = queue.parse(delivery.body)
      if (work) return hold(takeInHand(delivery, work, options))
      log.error('a message that is no work is taken out of the queue', { stream: queue.primary.name })
      delivery.term('it is not work that this version understands')
    },
    async empty(graceMs) {
      await settledWithin(answering, graceMs)
      for (const inHand of held) inHand.stop()
      await settledWithin(answering, stopWithinMs)
      for (const inHand of held) inHand.handBack()
      await settledWithin([connection.flush().catch(() => undefined)], answerWithinMs)
    },
  }
}

import type { NatsConnection } from 'nats'

import { terminal } from '../../../actors/failure.ts'
import type { Log } from '../../../actors/ports.ts'
import { settledWithin } from '../../timing/settled-within.ts'
import { answerWithinMs } from '../connection/ask.ts'
import type { WorkRef } from '../topology/queue-names.ts'
import type { Delivery } from './delivery.ts'
import { startHandling } from './handling.ts'
import type { HandlingOptions, Handling } from './handling.ts'
import { leftToNewer } from './newer.ts'
import { refuseDelivery } from './refuse-delivery.ts'
import type { WorkKind } from './work-kinds.ts'
import { openWorkSlots } from './work-slots.ts'

/** All the work that this process has begun. */
interface OngoingWork {
  /** Slots that it takes. */
  count(): number
  begin(delivery: Delivery): void
  /** Lets it finish within `graceMs`, then stops it, and hands back what does not stop. */
  empty(graceMs: number): Promise<void>
}

interface OngoingWorkOptions<Work extends WorkRef> extends Omit<HandlingOptions<Work>, 'aside'> {
  readonly connection: NatsConnection
  readonly queue: WorkKind<Work>
  readonly log: Log
  readonly slots: number
  /** A slot is free. */
  readonly freed: () => void
}

const stopWithinMs = 1_000

export function openOngoingWork<Work extends WorkRef>(options: OngoingWorkOptions<Work>): OngoingWork {
  const { client, connection, queue, log } = options
  const slots = openWorkSlots(options.slots, options.freed)
  const held = new Set<Handling>()
  // a slot is free before the broker has confirmed that its work is done
  const answering = new Set<Promise<void>>()

  const hold = (handling: Handling): void => {
    slots.enter()
    held.add(handling)
    answering.add(handling.answered)
    void handling.handled.then(() => {
      held.delete(handling)
      slots.leave()
    })
    void handling.answered.then(() => answering.delete(handling.answered))
  }
  return {
    count: () => slots.taken(),
    begin(delivery) {
      if (leftToNewer(delivery, log)) return
      const work = queue.parse(delivery.body)
      if (work) return hold(startHandling(delivery, work, { ...options, aside: slots.aside }))
      const error = terminal('invalid_request', 'It is not work that this version understands.')
      const answered = refuseDelivery(delivery, { client, error, facts: { stream: queue.primary.name }, log })
      answering.add(answered)
      void answered.then(() => answering.delete(answered))
    },
    async empty(graceMs) {
      await settledWithin(answering, graceMs)
      for (const handling of held) handling.stop()
      await settledWithin(answering, stopWithinMs)
      for (const handling of held) handling.handBack()
      await settledWithin([connection.flush().catch(() => undefined)], answerWithinMs)
    },
  }
}

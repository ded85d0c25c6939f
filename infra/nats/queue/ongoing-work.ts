import type { NatsConnection } from 'nats'

import { terminal } from '../../../actors/failure.ts'
import type { Clock, Log } from '../../../actors/ports.ts'
import { settledWithin } from '../../timing/settled-within.ts'
import { answerWithinMs } from '../connection/ask.ts'
import type { WorkRef } from '../topology/queue-names.ts'
import type { Delivery } from './delivery.ts'
import { startHandling } from './handling.ts'
import type { HandlingOptions, Handling } from './handling.ts'
import type { LevelRoom } from './levels.ts'
import { leftToNewer } from './newer.ts'
import { refuseDelivery } from './refuse-delivery.ts'
import type { WorkKind } from './work-kinds.ts'
import { openWorkSlots } from './work-slots.ts'

/** All the work that this process has begun. */
interface OngoingWork {
  /** Slots that it takes. */
  count(): number
  /** How much more may be begun: whoever had little has mostly little waiting, and so is on the first level. */
  room(): LevelRoom
  /** `isSpare`: see `Slotted`. */
  begin(delivery: Delivery, isSpare: boolean): void
  /** Lets it finish within `graceMs`, then stops it, and hands back what does not stop. */
  empty(graceMs: number): Promise<void>
}

interface OngoingWorkOptions<Work extends WorkRef> extends Omit<HandlingOptions<Work>, 'aside' | 'isSpare'> {
  readonly connection: NatsConnection
  readonly queue: WorkKind<Work>
  readonly log: Log
  readonly slots: number
  /** A slot is free. */
  readonly freed: () => void
  /** Whether others may go before it, which has been held for so long. */
  readonly isPatient: (work: Work, heldMs: number) => boolean
  readonly clock: Clock
}

const stopWithinMs = 1_000
/** Besides, for who had little, when all slots are taken by what may wait: long work may be in each of them. What comes to it is told so. */
const spareSlots = 1

export function openOngoingWork<Work extends WorkRef>(options: OngoingWorkOptions<Work>): OngoingWork {
  const { client, connection, queue, log, isPatient, clock } = options
  const slots = openWorkSlots(options.slots, options.freed)
  const held = new Map<Handling, () => boolean>()
  // a slot is free before the broker has confirmed that its work is done
  const answering = new Set<Promise<void>>()

  const hold = (work: Work, handling: Handling): void => {
    const fromMs = clock.elapsedMs()
    slots.enter()
    held.set(handling, () => isPatient(work, clock.elapsedMs() - fromMs))
    answering.add(handling.answered)
    void handling.handled.then(() => {
      held.delete(handling)
      slots.leave()
    })
    void handling.answered.then(() => answering.delete(handling.answered))
  }
  return {
    count: () => slots.taken(),
    room() {
      const others = options.slots - slots.taken()
      const isSpareFree = others === 0 && [...held.values()].every((mayWait) => mayWait())
      return { first: isSpareFree ? spareSlots : others, others }
    },
    begin(delivery, isSpare) {
      if (leftToNewer(delivery, log)) return
      const work = queue.parse(delivery.body)
      if (work) return hold(work, startHandling(delivery, work, { ...options, aside: slots.aside, isSpare }))
      const error = terminal('invalid_request', 'It is not work that this version understands.')
      const answered = refuseDelivery(delivery, { client, error, facts: { stream: queue.primary.name }, log })
      answering.add(answered)
      void answered.then(() => answering.delete(answered))
    },
    async empty(graceMs) {
      await settledWithin(answering, graceMs)
      for (const handling of held.keys()) handling.stop()
      await settledWithin(answering, stopWithinMs)
      for (const handling of held.keys()) handling.handBack()
      await settledWithin([connection.flush().catch(() => undefined)], answerWithinMs)
    },
  }
}

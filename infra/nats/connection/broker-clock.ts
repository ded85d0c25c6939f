import type { JetStreamManager } from '@nats-io/jetstream'

import { isBrokerAway } from '../../../actors/failure.ts'
import type { Clock } from '../../../actors/ports.ts'
import { ask } from './ask.ts'

interface BrokerClockOptions {
  readonly jsm: JetStreamManager
  readonly isAway?: () => boolean
  /** Who leads this stream is asked for the time: its schedules run by that clock. */
  readonly stream: string
  readonly clock: Clock
}

const freshForMs = 60_000

/** The broker's time, measured against our monotonic clock: a wall clock that is wrong here changes nothing (I11). */
export async function openBrokerClock(options: BrokerClockOptions): Promise<() => Promise<number>> {
  const { clock } = options
  let known = await measure(options)
  let measuring: Promise<void> | undefined

  const refresh = async (): Promise<void> => {
    try {
      known = await measure(options)
    } catch (error) {
      // clocks drift by little in the time that a broker is away
      if (!isBrokerAway(error)) throw error
    } finally {
      measuring = undefined
    }
  }
  return async () => {
    if (clock.elapsedMs() - known.elapsedMs > freshForMs) await (measuring ??= refresh())
    return known.brokerMs + (clock.elapsedMs() - known.elapsedMs)
  }
}

interface Measured {
  readonly brokerMs: number
  /** Ours, when it was so. */
  readonly elapsedMs: number
}

async function measure({ jsm, isAway = () => false, stream, clock }: BrokerClockOptions): Promise<Measured> {
  const askedMs = clock.elapsedMs()
  const { ts } = await ask(isAway, () => jsm.streams.info(stream))
  if (ts === undefined) throw new Error('the broker does not tell the time')
  return { brokerMs: Date.parse(ts), elapsedMs: (askedMs + clock.elapsedMs()) / 2 }
}

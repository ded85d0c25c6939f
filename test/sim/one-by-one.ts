import type { Outage } from '../../actors/worker/outage.ts'
import type { Hand } from './hand.ts'
import type { SimBody } from './platform-parts.ts'
import { settle } from './settle.ts'
import type { Settling } from './settle.ts'
import type { SimStream } from './streams.ts'

interface OneByOneOptions<Body> {
  readonly settling: Settling<Body>
  readonly slots: number
  readonly deadlineMs: number
  /** While it is on nothing is taken; what fails may be a sign of it. */
  readonly outage: Pick<Outage, 'isOn' | 'suspect'>
}

/** Of what is done one by one, in so many slots at once. */
export function takeOneByOne<Body extends SimBody>(
  queue: Pick<SimStream<Body>, 'consume'>,
  { settling, slots, deadlineMs, outage }: OneByOneOptions<Body>,
  work: (hand: Hand<Body>) => Promise<void>,
): void {
  const noticing = (hand: Hand<Body>): Promise<void> =>
    work(hand).catch((error: unknown) => {
      outage.suspect(error)
      throw error
    })
  queue.consume({
    process: settling.process,
    free: slots,
    most: 1,
    deadlineMs,
    isPaused: () => outage.isOn(),
    handle: async (ongoing) => {
      for (const hand of ongoing) await settle(settling, [hand], () => noticing(hand))
    },
  })
}

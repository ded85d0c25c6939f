import type { Delivery } from './delivery.ts'

interface KeepAliveOptions {
  readonly ackWaitMs: number
  /** Who takes longer is stuck: others may have it then. */
  readonly limitMs: number
  readonly gaveUp: () => void
}

/** Two of them may be lost. */
const beatsPerAckWait = 3

/** Says that we are at it until told to stop. */
export function keepAlive(deliveries: readonly Delivery[], options: KeepAliveOptions): () => void {
  const beat = setInterval(() => {
    for (const delivery of deliveries) delivery.working()
  }, options.ackWaitMs / beatsPerAckWait)
  const limit = setTimeout(() => {
    clearInterval(beat)
    options.gaveUp()
  }, options.limitMs)
  return () => {
    clearInterval(beat)
    clearTimeout(limit)
  }
}

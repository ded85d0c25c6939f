import type { NatsConnection } from 'nats'

import type { BatchChanges } from '../../../actors/batch/ports.ts'
import { aWakeUp } from '../../timing/wake-up.ts'
import { buckets } from '../topology/topology.ts'

/** However fast things change, who watches has this much time between two looks. */
const restMs = 200

/** Every write to a bucket is a message of the broker too: nobody has to be asked, and nothing is kept there for us. */
export function watchBatches(connection: NatsConnection): BatchChanges {
  return {
    async *watch(batchId, { signal, everyMs }) {
      const wakeUp = aWakeUp()
      const ring = (): void => wakeUp.ring()
      const subjects = [`$KV.${buckets.batches}.${batchId}`, `$KV.${buckets.runs}.*.${batchId}`]
      const calls = subjects.map((subject) => connection.subscribe(subject, { callback: ring }))
      signal.addEventListener('abort', ring)
      try {
        while (!signal.aborted) {
          yield
          await new Promise((resolve) => setTimeout(resolve, restMs))
          await wakeUp.heard(everyMs)
        }
      } finally {
        signal.removeEventListener('abort', ring)
        for (const call of calls) call.unsubscribe()
      }
    },
  }
}

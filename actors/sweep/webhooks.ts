import { openKey } from '../batch/state.ts'
import type { OpenBatch } from '../batch/state.ts'
import type { Clock, Records, WorkQueue } from '../ports.ts'
import type { WebhookWork } from '../webhook/protocol.ts'
import { enqueueWebhook } from '../webhook/queue.ts'
import type { Webhook } from '../webhook/state.ts'
import type { SweepLimits } from './decide.ts'
import type { Sights } from '../sights.ts'

interface CallSweeping {
  readonly ports: {
    readonly owedCalls: Records<OpenBatch>
    readonly webhooks: Records<Webhook>
    readonly webhookQueue: WorkQueue<WebhookWork>
    readonly clock: Clock
  }
  readonly limits: Pick<SweepLimits, 'staleMs'>
  readonly sights: Sights
}

/** A call that is owed and has no message is asked for again; resolves with whether it was. */
export async function lookAfterCall({ ports, limits, sights }: CallSweeping, entry: OpenBatch): Promise<boolean> {
  const { owner, batchId } = entry
  const key = openKey(entry)
  const stored = await ports.webhooks.read(batchId)
  if (stored && stored.value.standing !== 'waiting') {
    // somebody died before it was struck off
    await ports.owedCalls.erase(key)
    return false
  }
  if (sights.ageMs(key, stored?.revision ?? 0) <= limits.staleMs) return false
  sights.forget(key)
  if ((await ports.webhookQueue.outstanding(entry)).length > 0) return false
  const { round, attempts } = stored?.value ?? { round: 1, attempts: [] }
  const again = String(Math.floor(ports.clock.nowMs() / limits.staleMs))
  await enqueueWebhook(ports.webhookQueue, { owner, batchId, round, attempt: attempts.length + 1 }, { again })
  return true
}

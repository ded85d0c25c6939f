import type { Outbox } from '../ports.ts'
import type { WebhookWork } from './protocol.ts'

/** The same attempt is stored once, whoever asks for it. */
export async function enqueueWebhook(queue: Outbox<WebhookWork>, work: WebhookWork, delayMs = 0): Promise<void> {
  const { owner, batchId, round, attempt } = work
  const id = `notice:${batchId}:${round}:${attempt}`
  await queue.enqueue({ owner, batchId, round, attempt }, { id, delayMs, isRetry: attempt > 1 })
}

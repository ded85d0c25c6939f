import { openKey } from '../batch/state.ts'
import type { OpenBatch } from '../batch/state.ts'
import { aheadOfRetries } from '../attempt/retry.ts'
import type { Outbox, Records } from '../ports.ts'
import type { WebhookWork } from './protocol.ts'

export interface OwedCallPorts {
  /** One entry for each webhook that has not settled: where its message was lost it is found. */
  readonly owedCalls: Records<OpenBatch>
  readonly webhookQueue: Outbox<WebhookWork>
}

/**
 * The first call of a round. The entry comes first: whatever a crash, or a broker, loses after it is found through it (I7). `ahead`: see
 * `EnqueueOptions`.
 */
export async function oweCall(ports: OwedCallPorts, work: WebhookWork, ahead = 0): Promise<void> {
  const { owner, batchId } = work
  await ports.owedCalls.create(openKey(work), { owner, batchId })
  await enqueueWebhook(ports.webhookQueue, work, { ahead })
}

interface Enqueueing {
  readonly delayMs?: number
  readonly ahead?: number
  /** Told apart from the message that was lost, which the broker may still know. */
  readonly again?: string
}

/** The same attempt is stored once, whoever asks for it. */
export async function enqueueWebhook(
  queue: Outbox<WebhookWork>,
  work: WebhookWork,
  { delayMs = 0, ahead = 0, again }: Enqueueing = {},
): Promise<void> {
  const { owner, batchId, round, attempt } = work
  const id = ['notice', batchId, round, attempt, ...(again === undefined ? [] : [again])].join(':')
  const isRetry = attempt > 1
  await queue.enqueue(
    { owner, batchId, round, attempt },
    { id, delayMs, isRetry, ahead: isRetry ? aheadOfRetries : ahead },
  )
}

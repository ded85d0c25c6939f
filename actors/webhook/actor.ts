import type { OpenBatch } from '../batch/state.ts'
import { decideAll, durableActor } from '../durable-actor.ts'
import type { DurableActor } from '../durable-actor.ts'
import type { Faults, Outbox, Records } from '../ports.ts'
import { decide } from './decide.ts'
import type { WebhookCommand, WebhookWork } from './protocol.ts'
import { enqueueWebhook } from './queue.ts'
import type { Webhook } from './state.ts'

export interface WebhookRecordPorts {
  readonly webhooks: Records<Webhook>
  readonly webhookQueue: Outbox<WebhookWork>
  readonly faults: Faults
}

type WebhookActor = DurableActor<OpenBatch, Webhook, WebhookCommand>

/** What became of the calls that a batch owes, and which one comes next. */
export function webhookActor({ webhooks, webhookQueue, faults }: WebhookRecordPorts): WebhookActor {
  return durableActor({
    records: webhooks,
    keyOf: ({ batchId }: OpenBatch) => batchId,
    decide: (webhook: Webhook | undefined, commands: readonly WebhookCommand[]) => decideAll(decide, webhook, commands),
    perform: ({ round, attempt, delayMs }, { ref: { owner, batchId } }) =>
      enqueueWebhook(webhookQueue, { owner, batchId, round, attempt }, delayMs),
    async passed(place, commands) {
      const isAttempt = commands.some(({ type }) => type === 'Attempted')
      if (place === 'commit' && isAttempt) await faults.point('notice.after-record')
    },
  })
}

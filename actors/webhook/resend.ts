import type { Webhooks } from '../services.ts'
import { webhookActor } from './actor.ts'
import type { WebhookRecordPorts } from './actor.ts'

/** What users ask of the calls that their batches owe them. */
export function openWebhooks(ports: WebhookRecordPorts): Webhooks {
  const webhook = webhookActor(ports)
  return {
    read: async (batchId) => (await ports.webhooks.read(batchId))?.value,
    async resend(input) {
      const stored = await webhook.tell(input, [{ type: 'Resend' }])
      if (!stored) throw new Error('a call that was asked for again is not recorded')
      return stored
    },
  }
}

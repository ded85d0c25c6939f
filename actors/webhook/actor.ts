import { decideAll, durableActor } from '../durable-actor.ts'
import type { DurableActor } from '../durable-actor.ts'
import { openKey } from '../batch/state.ts'
import type { OpenBatch } from '../batch/state.ts'
import type { Faults, Records } from '../ports.ts'
import { decide } from './decide.ts'
import type { WebhookCommand, WebhookEffect } from './protocol.ts'
import { enqueueWebhook, oweCall } from './queue.ts'
import type { OwedCallPorts } from './queue.ts'
import type { Webhook } from './state.ts'

export interface WebhookRecordPorts extends OwedCallPorts {
  readonly webhooks: Records<Webhook>
  readonly faults: Faults
}

type WebhookActor = DurableActor<OpenBatch, Webhook, WebhookCommand>

/** What became of the calls that a batch owes, and which one comes next. */
export function webhookActor(ports: WebhookRecordPorts): WebhookActor {
  const { webhooks, faults } = ports
  return durableActor({
    records: webhooks,
    keyOf: ({ batchId }: OpenBatch) => batchId,
    decide: (webhook: Webhook | undefined, commands: readonly WebhookCommand[]) => decideAll(decide, webhook, commands),
    perform: (effect, { ref }) => perform(ports, effect, ref),
    async passed(place, commands) {
      const isAttempt = commands.some(({ type }) => type === 'Attempted')
      if (place === 'commit' && isAttempt) await faults.point('notice.after-record')
    },
  })
}

async function perform(ports: WebhookRecordPorts, effect: WebhookEffect, { owner, batchId }: OpenBatch): Promise<void> {
  if (effect.type === 'StrikeOff') return ports.owedCalls.erase(openKey({ owner, batchId }))
  const { round, attempt, delayMs } = effect
  const work = { owner, batchId, round, attempt }
  return attempt === 1 ? oweCall(ports, work) : enqueueWebhook(ports.webhookQueue, work, { delayMs })
}

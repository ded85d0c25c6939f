import { unreachable } from '../decision.ts'
import type { Decision } from '../decision.ts'
import type { WebhookCommand, WebhookEffect, WebhookOutcome, WebhookWork } from './protocol.ts'
import type { Webhook } from './state.ts'

export function decide(
  webhook: Webhook | undefined,
  command: WebhookCommand,
): Decision<Webhook | undefined, WebhookEffect> {
  switch (command.type) {
    case 'Attempted': {
      const state = attempted(webhook, command.work, command.outcome)
      return { state, effects: nextOf(state, command.work, command.outcome.delayMs) }
    }
    case 'Repeated':
      return { state: webhook, effects: nextOf(webhook, command.work, command.delayMs) }
    case 'Resend': {
      const state = again(webhook)
      return { state, effects: [{ type: 'EnqueueCall', round: state.round, attempt: 1, delayMs: 0 }] }
    }
    default:
      return unreachable(command)
  }
}

/** Whether this attempt is still to be made: its message may come twice, late, or after a later round began. */
export function isDue(webhook: Webhook | undefined, { round, attempt }: WebhookWork): boolean {
  if (!webhook || webhook.round < round) return true
  return webhook.round === round && webhook.standing === 'waiting' && webhook.attempts.length < attempt
}

/** The first who tells of an attempt is believed. */
export function attempted(
  webhook: Webhook | undefined,
  work: WebhookWork,
  outcome: Pick<WebhookOutcome, 'attempt' | 'standing'>,
): Webhook {
  if (webhook && !isDue(webhook, work)) return webhook
  const before = webhook?.round === work.round ? webhook.attempts : []
  return { round: work.round, standing: outcome.standing, attempts: [...before, outcome.attempt] }
}

/** The user wants it again: whatever is still under way of an earlier round ends there. */
export function again(webhook: Webhook | undefined): Webhook {
  return { round: (webhook?.round ?? 1) + 1, standing: 'waiting', attempts: [] }
}

function nextOf(webhook: Webhook | undefined, { round, attempt }: WebhookWork, delayMs: number): WebhookEffect[] {
  if (webhook && webhook.standing !== 'waiting') return [{ type: 'StrikeOff' }]
  const isLast = webhook?.round === round && webhook.attempts.length === attempt
  if (!isLast) return []
  return [{ type: 'EnqueueCall', round, attempt: attempt + 1, delayMs }]
}

import type { BatchId, Owner } from '../ids.ts'
import type { Webhook, WebhookAttempt } from './state.ts'

/** One call that a batch owes to the address its user gave, as it travels. */
export interface WebhookWork {
  readonly owner: Owner
  readonly batchId: BatchId
  /** 1 when the batch ends; one more each time that the user asks for it again. */
  readonly round: number
  /** Counted from 1 in each round. */
  readonly attempt: number
}

/** What may be said to the record of a batch's calls. */
export type WebhookCommand =
  | { readonly type: 'Attempted'; readonly work: WebhookWork; readonly outcome: WebhookOutcome }
  /** The message of an attempt that was made came again: who made it may have died before the next was asked for. */
  | { readonly type: 'Repeated'; readonly work: WebhookWork; readonly delayMs: number }
  /** The user wants it again. */
  | { readonly type: 'Resend' }

export interface WebhookOutcome {
  readonly attempt: WebhookAttempt
  readonly standing: Webhook['standing']
  /** Before the next attempt. */
  readonly delayMs: number
}

export type WebhookEffect =
  /** The same attempt is stored once, whoever asks for it. */
  | (Pick<WebhookWork, 'round' | 'attempt'> & { readonly type: 'EnqueueCall'; readonly delayMs: number })
  /** It has settled: nobody needs to look after it any more. */
  | { readonly type: 'StrikeOff' }

/** What became of the calls that a batch owes. */
export interface Webhook {
  readonly round: number
  readonly standing: 'waiting' | 'delivered' | 'given_up'
  /** Of this round, in order. */
  readonly attempts: readonly WebhookAttempt[]
}

export interface WebhookAttempt {
  readonly atMs: number
  /** What the other side answered, when it did. */
  readonly status?: number
  readonly error?: string
}

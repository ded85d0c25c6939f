/** What became of the calls that a batch owes. */
export interface Notice {
  readonly round: number
  readonly standing: 'waiting' | 'delivered' | 'given_up'
  /** Of this round, in order. */
  readonly attempts: readonly NoticeAttempt[]
}

export interface NoticeAttempt {
  readonly atMs: number
  /** What the other side answered, when it did. */
  readonly status?: number
  readonly error?: string
}

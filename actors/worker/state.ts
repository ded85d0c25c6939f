/** What a worker tells of itself while it lives; the entry vanishes when it no longer does. */
export interface WorkerPulse {
  readonly mode: 'both' | 'file' | 'chunk'
  /** Seconds of sound that it hears in a second when it has enough to do; absent until it has heard something. */
  readonly heardPerSecond?: number
}

/** What a worker tells of itself while it lives; the entry vanishes when it no longer does. */
export interface WorkerPulse {
  readonly mode: 'both' | 'file' | 'chunk'
  /** Seconds of audio that it hears in a second when it has enough to do; absent until it has heard something. */
  readonly heardPerSecond?: number
  /** Absent while it can work. */
  readonly waitingFor?: WaitedFor
}

/** Something slow that has to be there before work goes on. */
export interface WaitedFor {
  /** For people. */
  readonly what: string
  /** How much of it is there; absent when that cannot be told. */
  readonly percent?: number
  readonly secondsLeft: number
  /** What was heard already may still need it to be put together; absent when only hearing does. */
  readonly stopsAll?: true
}

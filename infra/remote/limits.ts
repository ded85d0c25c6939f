export interface RemoteLimits {
  readonly maxBytes: number
  readonly totalMs: number
  /** However little there is to fetch. */
  readonly graceMs: number
  readonly patienceMs: number
  readonly minBytesPerSecond: number
  readonly maxRedirects: number
  readonly maxResumes: number
  readonly resumePauseMs: number
  readonly maxRetryAfterSeconds: number
}

/**
 * What may go wrong across a boundary. Retryable: this work failed, which counts, and another attempt may help. Away: something that
 * all work needs is not there, which says nothing about the work and counts as nothing. Terminal: the input is bad, and no attempt will
 * help. Anything else is a bug and is thrown as it is. `detail` is written for the caller: the reason, the limit, and what to do.
 */
export type Failure =
  | {
      readonly kind: 'retryable'
      readonly code: RetryableCode
      readonly detail: string
      readonly retryAfterSeconds?: number
    }
  | {
      readonly kind: 'away'
      readonly code: AwayCode
      readonly detail: string
      readonly retryAfterSeconds?: number
    }
  | { readonly kind: 'terminal'; readonly code: TerminalCode; readonly detail: Detail }

export type Detail = string | { readonly message: string; readonly [key: string]: unknown }

export type AwayCode =
  | 'broker_unavailable' // NATS is away, electing, or did not answer in time
  | 'storage_unavailable' // the object store is away, slow or full
  | 'models_unavailable' // a model is missing here and cannot be fetched
  | 'identity_unavailable' // the JWKS cannot be fetched and no cached key fits
  | 'chat_unavailable' // the chat endpoint is away, or has no time
  | 'realtime_unavailable' // the server of realtime sessions is away, or did not answer in time
  | 'disk_full' // a disk of this machine has no room: the spool, or where workers decode

export type RetryableCode =
  | 'overloaded' // a limit on concurrent work is reached
  | 'quota_exceeded' // this user has as much open work as is allowed
  | 'too_many_requests' // this user or this address asks more often than is allowed
  | 'locked' // another request of this user works on the same thing
  | 'worker_failed' // a step ended in a way that nobody foresaw; the log has it
  | 'deadline_exceeded' // an attempt took longer than it may
  | 'remote_unavailable' // the server of a source's URL is away, slow or busy

export type TerminalCode =
  | 'invalid_request'
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'beyond_quota' // this alone is more than its user may have open, however long they wait
  | 'method_not_allowed'
  | 'too_large'
  | 'too_slow'
  | 'unsupported_media'
  | 'unsupported_version' // of a protocol that both sides must speak
  | 'worker_lost' // the process died with it again and again
  | 'fan_out_failed' // some chunks were enqueued and the rest could not be
  | 'remote_refused' // a URL that is never fetched, or that has no audio for us

/** Carries a Failure through a promise. Adapters throw it from their one `classify`; nobody extends it. */
export class FailureError extends Error {
  override readonly name = 'FailureError'

  constructor(
    readonly failure: Failure,
    options?: { cause?: unknown },
  ) {
    super(`${failure.code}: ${sentenceOf(failure)}`, options)
  }
}

export function retryable(code: RetryableCode, detail: string, cause?: unknown): FailureError {
  return new FailureError({ kind: 'retryable', code, detail }, { cause })
}

export function away(code: AwayCode, detail: string, cause?: unknown): FailureError {
  return new FailureError({ kind: 'away', code, detail }, { cause })
}

export function terminal(code: TerminalCode, detail: Detail, cause?: unknown): FailureError {
  return new FailureError({ kind: 'terminal', code, detail }, { cause })
}

/** Then nothing can be written down about the failure either. */
export function isBrokerAway(error: unknown): boolean {
  return error instanceof FailureError && error.failure.code === 'broker_unavailable'
}

/** Somebody said no, and so nothing was done. After any other error nobody knows how far it came. */
export function isRefused(error: unknown): boolean {
  return error instanceof FailureError && !isBrokerAway(error)
}

/** The same may work later, whether something is away or this failed. */
export function isRetryable(error: unknown): boolean {
  return error instanceof FailureError && error.failure.kind !== 'terminal'
}

/** What is not there, when that is why. */
export function awayCodeOf(error: unknown): AwayCode | undefined {
  return error instanceof FailureError && error.failure.kind === 'away' ? error.failure.code : undefined
}

/** What a person is told. */
export function sentenceOf({ detail }: Failure): string {
  return typeof detail === 'string' ? detail : detail.message
}

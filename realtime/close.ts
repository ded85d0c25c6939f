import { FailureError, sentenceOf } from '../actors/failure.ts'

/** The only file with close codes, and the HTTP statuses that stand for them where REALTIME_REFUSE_BY_STATUS says so. */
const endings = {
  invalid_api_key: { close: 3000, status: 401, type: 'invalid_request_error' },
  insufficient_scope: { close: 3003, status: 403, type: 'invalid_request_error' },
  missing_model: { close: 4000, status: 400, type: 'invalid_request_error' },
  invalid_model: { close: 4000, status: 400, type: 'invalid_request_error' },
  unsupported_parameter: { close: 4000, status: 400, type: 'invalid_request_error' },
  model_not_found: { close: 4004, status: 404, type: 'invalid_request_error' },
  session_not_found: { close: 4004, status: 404, type: 'invalid_request_error' },
  origin_not_allowed: { close: 1008, status: 403, type: 'invalid_request_error' },
  rate_limit_exceeded: { close: 1008, status: 429, type: 'rate_limit_error' },
  session_expired: { close: 1008, status: 401, type: 'invalid_request_error' },
  invalid_frame: { close: 1007, status: 400, type: 'invalid_request_error' },
  invalid_signature: { close: 3000, status: 403, type: 'invalid_request_error' },
  call_timeout: { close: 1008, status: 408, type: 'invalid_request_error' },
  slow_reader: { close: 1013, status: 503, type: 'server_error' },
  server_full: { close: 1013, status: 503, type: 'server_error' },
  temporarily_unavailable: { close: 1013, status: 503, type: 'server_error' },
  internal_error: { close: 1011, status: 500, type: 'server_error' },
  server_restart: { close: 1012, status: 503, type: 'server_error' },
} as const

type EndingCode = keyof typeof endings

/** Why a session does not begin, or does not go on. */
export interface SessionEnding {
  readonly code: EndingCode
  readonly type: string
  readonly message: string
  readonly closeCode: number
  readonly status: number
  /** Of the close frame; clients log it. */
  readonly reason: string
}

export function ending(code: EndingCode, message: string): SessionEnding {
  const { close, status, type } = endings[code]
  return { code, type, message, closeCode: close, status, reason: `${type}.${code}` }
}

/** What a caller may know of what went wrong while it was being let in. */
export function endingOf(error: unknown): SessionEnding {
  if (!(error instanceof FailureError)) return ending('internal_error', 'Something went wrong on our side.')
  const { failure } = error
  if (failure.kind !== 'terminal') return ending('temporarily_unavailable', sentenceOf(failure))
  return ending('invalid_api_key', sentenceOf(failure))
}

/** The last event before the close frame. */
export function errorEvent({ type, code, message }: SessionEnding, eventId: string): string {
  return JSON.stringify({
    type: 'error',
    event_id: eventId,
    error: { type, code, message, param: null, event_id: null },
  })
}

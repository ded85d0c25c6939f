import { FailureError } from '../actors/failure.ts'
import type { AwayCode, Detail, Failure, RetryableCode, TerminalCode } from '../actors/failure.ts'

export const tooMany = 429

/** The only file with error status codes. */
const statusOf: Record<AwayCode | RetryableCode | TerminalCode, number> = {
  invalid_request: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  too_slow: 408,
  conflict: 409,
  unsupported_version: 412,
  too_large: 413,
  unsupported_media: 415,
  locked: 423,
  quota_exceeded: tooMany,
  beyond_quota: tooMany,
  too_many_requests: tooMany,
  worker_failed: 500,
  deadline_exceeded: 500,
  worker_lost: 500,
  fan_out_failed: 500,
  remote_refused: 400,
  broker_unavailable: 503,
  storage_unavailable: 503,
  models_unavailable: 503,
  identity_unavailable: 503,
  chat_unavailable: 503,
  realtime_unavailable: 503,
  disk_full: 503,
  overloaded: 503,
  remote_unavailable: 503,
}

const retryAfterSecondsDefault = 5

export interface Problem {
  readonly status: number
  readonly body: { readonly detail: Detail }
  readonly headers: Readonly<Record<string, string>>
}

/** What a caller may know of an error. A bug says nothing of its inside: the log has it, under the request's id. */
export function problemOf(error: unknown, requestId: string): Problem {
  if (!(error instanceof FailureError))
    return {
      status: 500,
      body: { detail: `Something went wrong on our side. If it happens again, report request ${requestId}.` },
      headers: {},
    }
  const { failure } = error
  return { status: statusOf[failure.code], body: { detail: failure.detail }, headers: headersOf(failure) }
}

/** Where the specification has `error` beside `detail`. */
export function notFound(what: string): Omit<Problem, 'body' | 'headers'> & { body: NotFound } {
  const text = `${what} not found`
  return { status: statusOf.not_found, body: { error: text, detail: text } }
}

/** Of a range that begins behind the end (RFC 9110, 15.5.17). */
export function unsatisfiable(sizeBytes: number): Problem {
  return {
    status: 416,
    body: { detail: `The range begins behind the end: there are ${sizeBytes} bytes.` },
    headers: { 'Content-Range': `bytes */${sizeBytes}` },
  }
}

interface NotFound {
  readonly error: string
  readonly detail: string
}

/** For what never reaches a route; `code` is the HTTP parser's, or ours. */
export function problemOfUnreadable(code: unknown): Problem {
  const { status, detail } = unreadable(code)
  return { status, body: { detail }, headers: {} }
}

function unreadable(code: unknown): { readonly status: number; readonly detail: string } {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return { status: 431, detail: 'The headers of the request are larger than the limit.' }
    case 'too-many-headers':
      return { status: 431, detail: 'The request has more headers than the limit.' }
    case 'no-host':
      return { status: 400, detail: 'The request has no Host header, which HTTP/1.1 wants.' }
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return { status: 408, detail: 'The headers of the request did not arrive in time.' }
    default:
      return { status: 400, detail: 'This is not a valid HTTP/1.1 request.' }
  }
}

function headersOf(failure: Failure): Record<string, string> {
  if (failure.kind === 'terminal') return {}
  return { 'Retry-After': String(failure.retryAfterSeconds ?? retryAfterSecondsDefault) }
}

import { STATUS_CODES } from 'node:http'
import type { ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

import { problemOfUnreadable } from './problem.ts'
import { securityHeaders } from './security-headers.ts'

/** Requests that can be read as HTTP and are refused before anybody asks what they want. */
export type Unfit = 'no-host' | 'too-many-headers'

/** In its turn among those that came on the same connection, which ends with it. */
export function refuseUnfit(why: Unfit, response: ServerResponse): void {
  const { status, headers, text } = refusal(why)
  response.writeHead(status, headers).end(text)
}

/**
 * What cannot be read as HTTP never reaches the app, so its answer is written by hand; then the socket is closed, because
 * nobody knows where on it the next request would begin.
 */
export function refuseUnreadable(error: Error, socket: Duplex, running: ServerResponse | undefined): void {
  const halfAnswered = running !== undefined && running.headersSent && !running.writableEnded
  if (!socket.writable || halfAnswered) {
    socket.destroy(error)
    return
  }
  const { status, headers, text } = refusal('code' in error ? error.code : undefined)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, ...lines, '', text].join('\r\n'), () =>
    socket.destroy(),
  )
}

function refusal(code: unknown): { status: number; headers: Record<string, string>; text: string } {
  const { status, body } = problemOfUnreadable(code)
  const text = JSON.stringify(body)
  const headers = {
    ...securityHeaders,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(text)),
    Connection: 'close',
  }
  return { status, headers, text }
}

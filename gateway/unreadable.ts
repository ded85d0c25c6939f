import { STATUS_CODES } from 'node:http'
import type { ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

import { problemOfUnreadable } from './problem.ts'
import { securityHeaders } from './security-headers.ts'

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
  const { status, body } = problemOfUnreadable('code' in error ? error.code : undefined)
  const text = JSON.stringify(body)
  const headers = {
    ...securityHeaders,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(text)),
    Connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, ...lines, '', text].join('\r\n'), () =>
    socket.destroy(),
  )
}

import type { ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

import { problemOfUnreadable } from './problem.ts'
import { closingHeaders, problemText, writeProblem } from './write-answer.ts'

/** Requests that can be read as HTTP and are refused before anybody asks what they want. */
export type Unfit = 'no-host' | 'too-many-headers'

/** In its turn among those that came on the same connection, which ends with it. */
export function refuseUnfit(why: Unfit, response: ServerResponse): void {
  const answer = problemText(problemOfUnreadable(why))
  response.writeHead(answer.status, closingHeaders(answer)).end(answer.text)
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
  writeProblem(socket, problemOfUnreadable('code' in error ? error.code : undefined))
}

import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'

import type { Problem } from './problem.ts'
import { securityHeaders } from './security-headers.ts'

interface WrittenAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** By hand, where no response of node's stands for the socket; it is the last on its connection. */
export function writeAnswer(socket: Duplex, answer: WrittenAnswer): void {
  const { status, text } = answer
  const lines = Object.entries(closingHeaders(answer)).map(([name, value]) => `${name}: ${value}`)
  socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, ...lines, '', text].join('\r\n'), () =>
    socket.destroy(),
  )
}

export function writeProblem(socket: Duplex, problem: Problem): void {
  writeAnswer(socket, problemText(problem))
}

export function problemText({ status, headers, body }: Problem): WrittenAnswer {
  return {
    status,
    headers: { 'Content-Type': 'application/json; charset=utf-8', ...headers },
    text: JSON.stringify(body),
  }
}

export function closingHeaders({ headers, text }: WrittenAnswer): Record<string, string> {
  return {
    ...securityHeaders,
    ...headers,
    'Content-Length': String(Buffer.byteLength(text)),
    Connection: 'close',
  }
}

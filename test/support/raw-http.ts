import { once } from 'node:events'
import { connect } from 'node:net'
import type { Socket } from 'node:net'

import type { ExecutionContext } from 'ava'

/** HTTP as bytes on a socket: for what no proper client would send. */
export interface RawConnection {
  readonly socket: Socket
  /** Resolves once the bytes are on their way; waits while the other side does not read. */
  send(...parts: readonly (string | Uint8Array)[]): Promise<void>
  /** Everything that has arrived so far. */
  received(): string
  /** Resolves with the next complete answer. */
  answer(): Promise<RawAnswer>
  /** Resolves with everything that ever arrived when the other side has closed. */
  closed: Promise<string>
}

export interface RawAnswer {
  readonly status: number
  readonly headers: Headers
  readonly body: string
}

export async function rawConnection(
  t: Pick<ExecutionContext, 'teardown'>,
  url: string,
  localAddress?: string,
): Promise<RawConnection> {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port), ...(localAddress !== undefined && { localAddress }) })
  t.teardown(() => socket.destroy())
  let text = ''
  socket.setEncoding('latin1')
  socket.on('data', (chunk: string) => {
    text += chunk
  })
  socket.on('error', () => undefined) // a reset is one of the ways to be cut off
  const closed = new Promise<string>((resolve) => socket.once('close', () => resolve(text)))
  await once(socket, 'connect')

  return {
    socket,
    async send(...parts) {
      for (const part of parts)
        if (!socket.write(part)) await Promise.race([once(socket, 'drain').catch(() => undefined), closed])
    },
    received: () => text,
    async answer() {
      for (;;) {
        const found = parseAnswer(text)
        if (found) {
          text = text.slice(found.length)
          return found.answer
        }
        if (socket.destroyed) throw new Error(`closed without a complete answer: ${JSON.stringify(text)}`)
        await Promise.race([once(socket, 'data').catch(() => undefined), closed])
      }
    },
    closed,
  }
}

/** One exchange on a connection of its own. */
export async function rawExchange(
  t: ExecutionContext,
  url: string,
  ...parts: readonly (string | Uint8Array)[]
): Promise<RawAnswer> {
  const connection = await rawConnection(t, url)
  await connection.send(...parts)
  return connection.answer()
}

/** A request's first lines, each ended as HTTP wants it, and the empty line after them. */
export function head(...lines: readonly string[]): string {
  return [...lines, '', ''].join('\r\n')
}

function parseAnswer(text: string): { answer: RawAnswer; length: number } | undefined {
  const end = text.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const [first = '', ...lines] = text.slice(0, end).split('\r\n')
  const status = Number(first.split(' ')[1])
  const headers = new Headers(
    lines.map((line): [string, string] => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
  )
  const start = end + 4
  const length = Number(headers.get('content-length') ?? 0)
  if (text.length < start + length) return undefined
  const body = Buffer.from(text.slice(start, start + length), 'latin1').toString('utf8')
  return { answer: { status, headers, body }, length: start + length }
}

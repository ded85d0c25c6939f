import { once } from 'node:events'
import { connect } from 'node:net'
import type { Socket } from 'node:net'

/** HTTP as bytes, one request at a time, so that nothing is put right on its way to the server. */
export interface FuzzWire {
  exchange(bytes: Uint8Array, how: Manner): Promise<WireOutcome>
  close(): void
}

interface Manner {
  /** The answer to HEAD has the headers of a body and none. */
  readonly method: string
  /** A request that is whole and well framed leaves its connection fit for the next. */
  readonly isWhole: boolean
}

export type WireOutcome =
  | { readonly kind: 'answered'; readonly answer: WireAnswer; readonly rest: string }
  | { readonly kind: 'closed'; readonly received: string }
  | { readonly kind: 'late'; readonly received: string }

export interface WireAnswer {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly body: Buffer
  /** A stream of events, of which the first was read; whoever asked hangs up. */
  readonly isOpen: boolean
}

/** A hang, and not only a disk that others keep busy. */
const lateMs = 60_000

export function openWire(url: string, localAddress?: string): FuzzWire {
  const { hostname, port } = new URL(url)
  let kept: Socket | undefined

  async function socketFor(): Promise<Socket> {
    if (kept && !kept.destroyed && kept.readyState === 'open') return kept
    const socket = connect({
      host: hostname,
      port: Number(port),
      noDelay: true,
      ...(localAddress !== undefined && { localAddress }),
    })
    socket.on('error', () => undefined) // its end is told by `close`
    await once(socket, 'connect')
    return socket
  }

  return {
    async exchange(bytes, how) {
      const socket = await socketFor()
      kept = undefined
      const outcome = await outcomeOf(socket, bytes, how)
      if (outcome.kind === 'answered' && how.isWhole && isKept(outcome.answer)) kept = socket
      else socket.destroy()
      return outcome
    },
    close: () => kept?.destroy(),
  }
}

function isKept({ headers, isOpen }: WireAnswer): boolean {
  return !isOpen && headers.get('connection') !== 'close'
}

function outcomeOf(socket: Socket, bytes: Uint8Array, { method, isWhole }: Manner): Promise<WireOutcome> {
  return new Promise((resolve) => {
    let received = Buffer.alloc(0)
    const settle = (outcome: WireOutcome): void => {
      clearTimeout(timer)
      socket.off('data', onData)
      socket.off('close', onClose)
      resolve(outcome)
    }
    const timer = setTimeout(() => settle({ kind: 'late', received: shown(received) }), lateMs)
    const look = (isEnded: boolean): void => {
      const found = parseAnswer(received, method, isEnded)
      if (found) settle({ kind: 'answered', answer: found.answer, rest: shown(received.subarray(found.length)) })
      else if (isEnded) settle({ kind: 'closed', received: shown(received) })
    }
    const onData = (chunk: Buffer): void => {
      received = Buffer.concat([received, chunk])
      look(false)
    }
    const onClose = (): void => look(true)
    socket.on('data', onData)
    socket.once('close', onClose)
    socket.write(bytes)
    if (!isWhole) socket.end()
  })
}

function parseAnswer(
  bytes: Buffer,
  method: string,
  isEnded: boolean,
): { answer: WireAnswer; length: number } | undefined {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const [first = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n')
  const status = Number(first.split(' ')[1])
  const start = end + 4
  if (status >= 100 && status < 200) {
    const next = parseAnswer(bytes.subarray(start), method, isEnded)
    return next && { answer: next.answer, length: start + next.length }
  }
  const headers = new Map(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  )
  const found = bodyAt(bytes.subarray(start), { headers, hasNone: method === 'HEAD' || status === 204, isEnded })
  return found && { answer: { status, headers, isOpen: false, ...found }, length: start + found.length }
}

interface Found {
  readonly body: Buffer
  readonly length: number
  readonly isOpen?: boolean
}

interface Framing {
  readonly headers: ReadonlyMap<string, string>
  readonly hasNone: boolean
  readonly isEnded: boolean
}

function bodyAt(bytes: Buffer, { headers, hasNone, isEnded }: Framing): Found | undefined {
  if (hasNone) return { body: Buffer.alloc(0), length: 0 }
  const isStream = headers.get('content-type')?.startsWith('text/event-stream') ?? false
  if (headers.get('transfer-encoding') === 'chunked') return chunkedBody(bytes, isStream)
  const declared = headers.get('content-length')
  if (declared === undefined) return isEnded ? { body: bytes, length: bytes.length } : undefined
  const length = Number(declared)
  return bytes.length < length ? undefined : { body: bytes.subarray(0, length), length }
}

const firstEvent = /^event: .*\n(?:.+\n)*\n/m

function chunkedBody(bytes: Buffer, isStream: boolean): Found | undefined {
  const parts: Buffer[] = []
  const soFar = (): Found | undefined => {
    const body = Buffer.concat(parts)
    return isStream && firstEvent.test(body.toString()) ? { body, length: bytes.length, isOpen: true } : undefined
  }
  for (let at = 0; ;) {
    const lineEnd = bytes.indexOf('\r\n', at)
    if (lineEnd < 0) return soFar()
    const size = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16)
    const next = lineEnd + 2 + size + 2
    if (next > bytes.length) return soFar()
    if (size === 0) return { body: Buffer.concat(parts), length: next }
    parts.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size))
    at = next
  }
}

const shownBytes = 500

function shown(bytes: Buffer): string {
  return bytes.toString('latin1', 0, shownBytes)
}

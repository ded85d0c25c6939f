import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

import type { ExecutionContext } from 'ava'

interface FakeHub {
  readonly url: string
  /** One entry for each request of bytes: `path range`. */
  readonly requests: string[]
  /** Cuts the connection of the next requests of bytes, one for each number, after so many of them. */
  readonly cuts: number[]
  /** Statuses of the next requests to the hub itself, instead of an answer. */
  readonly statuses: number[]
  ranges: boolean
}

export const hubRevision = '0123456789abcdef0123456789abcdef01234567'

/** A hub with one repository, `demo/model`, on this machine; it redirects to another address for the bytes, as hubs do. */
export async function aHub(t: ExecutionContext, files: Readonly<Record<string, Buffer>>): Promise<FakeHub> {
  const hub = { url: '', requests: [], cuts: [], statuses: [], ranges: true } as {
    -readonly [K in keyof FakeHub]: FakeHub[K]
  }
  const bytes = await aServer(t, (request, response) => sendBytes(hub, files, { request, response }))
  hub.url = await aServer(t, (request, response) => {
    const path = new RegExp(`^/demo/model/resolve/${hubRevision}/(.+)$`).exec(request.url ?? '')?.[1]
    const status = hub.statuses.shift()
    if (status !== undefined) response.writeHead(status).end('not now')
    else if (path === undefined || !(path in files)) response.writeHead(404).end('Entry not found')
    else response.writeHead(302, { location: `${bytes}/${path}?signature=x` }).end()
  })
  return hub
}

function sendBytes(
  hub: FakeHub,
  files: Readonly<Record<string, Buffer>>,
  { request, response }: { request: IncomingMessage; response: ServerResponse },
): void {
  const path = new URL(request.url ?? '', 'http://hub').pathname.slice(1)
  hub.requests.push(`${path} ${request.headers.range ?? 'all'}`)
  const from = hub.ranges ? Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0) : 0
  const whole = files[path]!
  const body = whole.subarray(from)
  const range = from > 0 && { 'content-range': `bytes ${from}-${whole.length - 1}/${whole.length}` }
  response.writeHead(from > 0 ? 206 : 200, { 'content-length': body.length, ...range })
  const cut = hub.cuts.shift()
  if (cut === undefined) response.end(body)
  else response.write(body.subarray(0, cut), () => response.destroy())
}

async function aServer(
  t: ExecutionContext,
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<string> {
  const server: Server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}` // as: it listens on a port, not on a pipe
}

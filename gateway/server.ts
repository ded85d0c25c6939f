import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { ListenOptions } from 'node:net'
import type { Duplex } from 'node:stream'

import type Koa from 'koa'

import { problemOfUnreadable } from './problem.ts'
import { GatewayRequest } from './realtime/gateway-request.ts'
import type { SessionPassage } from './realtime/pass-on.ts'
import { refuseUnfit, refuseUnreadable } from './unreadable.ts'
import { writeProblem } from './write-answer.ts'
import type { Unfit } from './unreadable.ts'

/** Limits of the HTTP edge itself; those of bodies are with the routes. */
interface ServerLimits {
  readonly headersMs: number
  readonly keepAliveMs: number
  readonly headerBytes: number
  readonly headerCount: number
  readonly connections: number
  /** Connections that wait to be taken. Where there is no room for one more, whoever comes tries again after 1, 3 and 7 seconds, and gets no word of it. */
  readonly arriving: number
  readonly requestsPerSocket: number
  readonly checkEveryMs: number
}

export const serverLimits: ServerLimits = {
  headersMs: 10_000,
  keepAliveMs: 10_000,
  headerBytes: 16 * 1024,
  headerCount: 100,
  connections: 10_000,
  // what Linux allows (net.core.somaxconn); node's own are 511
  arriving: 4_096,
  requestsPerSocket: 10_000,
  checkEveryMs: 2_000,
}

interface ServerPlace {
  readonly host: string
  readonly port: number
  /** PEM; with it the port speaks `https:` and `wss:` only. */
  readonly tls?: { readonly cert: string; readonly key: string } | undefined
  /** Absent: nobody opens sessions here. */
  readonly passage?: SessionPassage
}

interface ListeningGateway {
  readonly port: number
  /** Takes nothing new, lets what runs end, and cuts off what has not by then. */
  close(withinMs: number): Promise<void>
}

export async function serveGateway<State>(
  app: Koa<State>,
  at: ServerPlace,
  limits: ServerLimits = serverLimits,
): Promise<ListeningGateway> {
  const callback = app.callback()
  const running = new WeakMap<Duplex, ServerResponse>()
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    running.set(request.socket, response)
    const fault = faultOf(request, limits)
    if (fault) return refuseUnfit(fault, response)
    void callback(request, response)
  }
  const server = openServer(at, limits)
  server.on('request', handle)
  // node drops what is beyond, and with it whatever it meant: one more is let in to be seen and refused
  server.maxHeadersCount = limits.headerCount + 1
  server.maxConnections = limits.connections
  server.maxRequestsPerSocket = limits.requestsPerSocket
  // the answer to `Expect: 100-continue` is the route's: a refusal should come before the body, not after it
  server.on('checkContinue', handle)
  server.on('checkExpectation', handle)
  server.on('clientError', (error, socket) => refuseUnreadable(error, socket, running.get(socket)))
  const { passage } = at
  if (passage) server.on('upgrade', (...asked) => takeSession(passage, asked, limits))
  await listen(server, { host: at.host, port: at.port, backlog: limits.arriving })
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : at.port,
    close: (withinMs) => close(server, passage, withinMs),
  }
}

function openServer({ tls }: ServerPlace, limits: ServerLimits): Server {
  const options = {
    maxHeaderSize: limits.headerBytes,
    headersTimeout: limits.headersMs,
    // bodies have their own pace (files/pace.ts): an upload of hours is fine as long as it flows
    requestTimeout: 0,
    keepAliveTimeout: limits.keepAliveMs,
    connectionsCheckingInterval: limits.checkEveryMs,
    insecureHTTPParser: false,
    requireHostHeader: false, // node's own refusal has neither words nor headers; ours is below
    IncomingMessage: GatewayRequest,
  }
  return tls
    ? createSecureServer({ ...options, ...tls, minVersion: 'TLSv1.2', handshakeTimeout: limits.headersMs })
    : createServer(options)
}

function takeSession(
  passage: SessionPassage,
  [request, socket, head]: [IncomingMessage, Duplex, Buffer],
  limits: ServerLimits,
): void {
  // a peer that resets its connection is no error of ours; its end is seen as `close`
  socket.on('error', () => undefined)
  const fault = faultOf(request, limits)
  if (fault) writeProblem(socket, problemOfUnreadable(fault))
  else passage.take(request, socket, head)
}

function faultOf(request: IncomingMessage, limits: ServerLimits): Unfit | undefined {
  if (request.rawHeaders.length / 2 > limits.headerCount) return 'too-many-headers'
  return request.httpVersion === '1.1' && request.headers.host === undefined ? 'no-host' : undefined
}

function listen(server: Server, at: ListenOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(at, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

function close(server: Server, passage: SessionPassage | undefined, withinMs: number): Promise<void> {
  return new Promise((resolve) => {
    const deadline = setTimeout(() => {
      passage?.cutOff()
      server.closeAllConnections()
    }, withinMs)
    server.close(() => {
      clearTimeout(deadline)
      resolve()
    })
    server.closeIdleConnections()
  })
}

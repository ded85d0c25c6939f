import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

import type Koa from 'koa'

import { refuseUnreadable } from './unreadable.ts'

/** Limits of the HTTP edge itself; those of bodies are with the routes. */
export interface ServerLimits {
  readonly headersMs: number
  readonly keepAliveMs: number
  readonly headerBytes: number
  readonly headerCount: number
  readonly connections: number
  readonly requestsPerSocket: number
  readonly checkEveryMs: number
}

export const serverLimits: ServerLimits = {
  headersMs: 10_000,
  keepAliveMs: 10_000,
  headerBytes: 16 * 1024,
  headerCount: 100,
  connections: 10_000,
  requestsPerSocket: 10_000,
  checkEveryMs: 2_000,
}

export interface RunningServer {
  readonly port: number
  /** Takes nothing new, lets what runs end, and cuts off what has not by then. */
  close(withinMs: number): Promise<void>
}

export async function serve<State>(
  app: Koa<State>,
  at: { host: string; port: number },
  limits: ServerLimits = serverLimits,
): Promise<RunningServer> {
  const callback = app.callback()
  const running = new WeakMap<Duplex, ServerResponse>()
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    running.set(request.socket, response)
    void callback(request, response)
  }
  const server = createServer(
    {
      maxHeaderSize: limits.headerBytes,
      headersTimeout: limits.headersMs,
      // bodies have their own pace (files/pace.ts): an upload of hours is fine as long as it flows
      requestTimeout: 0,
      keepAliveTimeout: limits.keepAliveMs,
      connectionsCheckingInterval: limits.checkEveryMs,
      insecureHTTPParser: false,
    },
    handle,
  )
  server.maxHeadersCount = limits.headerCount
  server.maxConnections = limits.connections
  server.maxRequestsPerSocket = limits.requestsPerSocket
  // the answer to `Expect: 100-continue` is the route's: a refusal should come before the body, not after it
  server.on('checkContinue', handle)
  server.on('clientError', (error, socket) => refuseUnreadable(error, socket, running.get(socket)))
  await listen(server, at)
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : at.port,
    close: (withinMs) => close(server, withinMs),
  }
}

function listen(server: Server, at: { host: string; port: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(at.port, at.host, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

function close(server: Server, withinMs: number): Promise<void> {
  return new Promise((resolve) => {
    const deadline = setTimeout(() => server.closeAllConnections(), withinMs)
    server.close(() => {
      clearTimeout(deadline)
      resolve()
    })
    server.closeIdleConnections()
  })
}

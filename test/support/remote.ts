import { createServer } from 'node:http'
import type { IncomingHttpHeaders, RequestListener, Server, ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { join } from 'node:path'

import type { ExecutionContext } from 'ava'

import { readConfig } from '../../infra/config/config.ts'
import { remoteLimits } from '../../infra/config/remote-limits.ts'
import { readRange } from '../../infra/remote/address.ts'
import type { RemoteLimits } from '../../infra/remote/limits.ts'
import { remoteAudio } from '../../infra/remote/remote-audio.ts'
import type { RemoteAudio, RemoteAudioOptions } from '../../infra/remote/remote-audio.ts'
import type { UrlPolicy } from '../../infra/remote/url.ts'
import type { Certificate } from './certificate.ts'
import { aFolder } from './folder.ts'
import { silentLog } from './silent-log.ts'

/** Somebody's server on this machine, which answers as the test tells it to and remembers what it was asked. */
export interface RemoteServer {
  readonly port: number
  readonly url: string
  readonly requests: readonly AskedOfRemote[]
  connections(): Promise<number>
  close(): Promise<void>
}

interface AskedOfRemote {
  readonly path: string
  readonly headers: IncomingHttpHeaders
}

/** One answer a request, the last one for all that follow. */
export async function aRemoteServer(
  t: ExecutionContext,
  answers: RequestListener | readonly RequestListener[],
  certificate?: Certificate,
): Promise<RemoteServer> {
  const requests: AskedOfRemote[] = []
  const inTurn = typeof answers === 'function' ? [answers] : answers
  const listener: RequestListener = (request, response) => {
    requests.push({ path: request.url ?? '', headers: request.headers })
    inTurn[Math.min(requests.length, inTurn.length) - 1]?.(request, response)
  }
  const server = certificate ? createSecureServer(certificate, listener) : createServer(listener)
  const port = await listen(t, server)
  return {
    port,
    url: `${certificate ? 'https' : 'http'}://127.0.0.1:${port}/call.wav`,
    requests,
    connections: () =>
      new Promise((resolve, reject) =>
        server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
      ),
    close: () => closeServer(server),
  }
}

async function listen(t: ExecutionContext, server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => closeServer(server))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return address.port
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}

interface Fetcher {
  readonly remote: RemoteAudio
  /** Where the file comes to; nothing is there yet. */
  readonly path: string
}

export interface FetcherOptions extends Partial<Omit<RemoteAudioOptions, 'policy' | 'limits'>> {
  readonly ports: readonly number[]
  readonly policy?: Partial<UrlPolicy>
  readonly limits?: Partial<RemoteLimits>
}

/** The real thing, allowed to reach this machine at the given ports, with pauses that nobody notices. */
export async function aFetcher(
  t: ExecutionContext,
  { ports, policy, limits, ...of }: FetcherOptions,
): Promise<Fetcher> {
  const allowPrivate = [readRange('127.0.0.0/8')!]
  const remote = remoteAudio({
    log: silentLog,
    policy: { http: true, ports, allowPrivate, ...policy },
    limits: { ...remoteLimits(readConfig({})), resumePauseMs: 1, ...limits },
    ...of,
  })
  return { remote, path: join(await aFolder(t), 'call') }
}

/** Sends a body whole, with its length and an ETag. */
export function whole(body: Uint8Array, headers: Record<string, string> = {}): RequestListener {
  return (_request, response) => {
    response.writeHead(200, { 'content-type': 'audio/wav', 'content-length': body.length, etag: '"one"', ...headers })
    response.end(body)
  }
}

/** Announces everything, sends the first bytes and hangs up. */
export function brokenAfter(
  sentBytes: number,
  body: Uint8Array,
  headers: Record<string, string> = {},
): RequestListener {
  return (_request, response) => {
    response.writeHead(200, { 'content-length': body.length, etag: '"one"', ...headers })
    hangUpAfter(response, body.subarray(0, sentBytes))
  }
}

export function hangUpAfter(response: ServerResponse, bytes: Uint8Array): void {
  response.write(bytes, () => response.destroy())
}

export function redirectTo(location: string, status = 302): RequestListener {
  return (_request, response) => void response.writeHead(status, { location }).end()
}

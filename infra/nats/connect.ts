import { connect } from 'nats'
import type { NatsConnection, Status } from 'nats'

import { retryable } from '../../actors/failure.ts'
import type { Log } from '../../actors/ports.ts'

export interface ConnectNatsOptions {
  /** One address, or several of a cluster, between commas. */
  readonly url: string
  readonly user?: string | undefined
  readonly pass?: string | undefined
  readonly token?: string | undefined
  /** Shown by the server's own tools. */
  readonly name: string
  readonly log: Log
  /** Workers wait for a broker that is not there yet; a gateway says so at once. */
  readonly waitOnFirstConnect: boolean
}

const connectTimeoutMs = 2_000
const pingIntervalMs = 20_000
const unansweredPingsMax = 2
const reconnectWaitMs = 500
const reconnectJitterMs = 500

export async function connectNats(options: ConnectNatsOptions): Promise<NatsConnection> {
  const { log, name } = options
  const connection = await connect({
    servers: options.url.split(',').map((address) => address.trim()),
    name,
    ...(options.user === undefined ? {} : { user: options.user }),
    ...(options.pass === undefined ? {} : { pass: options.pass }),
    ...(options.token === undefined ? {} : { token: options.token }),
    timeout: connectTimeoutMs,
    waitOnFirstConnect: options.waitOnFirstConnect,
    reconnect: true,
    maxReconnectAttempts: -1,
    reconnectTimeWait: reconnectWaitMs,
    reconnectJitter: reconnectJitterMs,
    reconnectJitterTLS: reconnectJitterMs,
    pingInterval: pingIntervalMs,
    maxPingOut: unansweredPingsMax,
    // Without this the client closes for good after two refusals in a row, which a broker being reconfigured can give.
    ignoreAuthErrorAbort: true,
  }).catch((error: unknown) => {
    throw classify(error)
  })
  log.info('nats connected', { name, server: connection.getServer() })
  void report(connection, log, name)
  return connection
}

/** Ends by itself when the connection is closed. */
async function report(connection: NatsConnection, log: Log, name: string): Promise<void> {
  for await (const status of connection.status()) say(status, log, name)
  const error = await connection.closed()
  log.info('nats closed', { name, ...(error ? { reason: error.message } : {}) })
}

function say(status: Status, log: Log, name: string): void {
  switch (status.type) {
    case 'disconnect':
      return log.warn('nats disconnected', { name, server: status.server })
    case 'reconnect':
      return log.info('nats reconnected', { name, server: status.server })
    case 'staleConnection':
      return log.warn('nats connection is stale', { name })
    case 'slowConsumer':
      return log.warn('nats subscription is slow', { name, subject: status.sub.getSubject(), pending: status.pending })
    case 'error':
      return log.error('nats reports an error', { name, reason: status.error.message })
    case 'ldm':
      return log.info('nats server is about to leave', { name, server: status.server })
    case 'reconnecting':
    case 'forceReconnect':
    case 'update':
    case 'ping':
    case 'close':
      return log.debug('nats status', { name, status: status.type })
  }
}

function classify(error: unknown): Error {
  const reason = error instanceof Error ? error.message : String(error)
  return retryable('broker_unavailable', `the message broker could not be reached: ${reason}`, error)
}

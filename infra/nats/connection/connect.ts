import { setTimeout as pause } from 'node:timers/promises'

import { connect, errors } from 'nats'
import type { NatsConnection, NodeConnectionOptions, Status } from 'nats'

import { away } from '../../../actors/failure.ts'
import type { Log } from '../../../actors/ports.ts'
import { proofSettings } from './proof.ts'
import type { Proof } from './proof.ts'
import { readNatsUrl } from './url.ts'

export interface ConnectNatsOptions {
  /** As NATS_URL says it; the credentials below go before those in it. */
  readonly url: string
  readonly user?: string | undefined
  readonly pass?: string | undefined
  readonly token?: string | undefined
  readonly proof?: Proof
  /** Of the subjects that answers come under. */
  readonly inboxPrefix?: string
  /** Shown by the server's own tools. */
  readonly name: string
  readonly log: Log
  /** Workers wait for a broker that is not there yet; a gateway says so at once. */
  readonly waitOnFirstConnect: boolean
  /** Ends the waiting. */
  readonly signal?: AbortSignal
}

/** A server that is busy answers late; one that is not there refuses at once. */
const connectTimeoutMs = 5_000
const lateAttemptsMax = 5
const drainWithinMs = 2_000
const pingIntervalMs = 20_000
const unansweredPingsMax = 2
const reconnectWaitMs = 500
const reconnectJitterMs = 500

export async function connectNats(options: ConnectNatsOptions): Promise<NatsConnection> {
  const { log, name } = options
  const connection = await firstConnection(settingsOf(options), options)
  log.info('nats connected', { name, server: connection.getServer() })
  void report(connection, log, name)
  return connection
}

/** What was sent is handed over first; a broker that is away, or frozen, is not waited for. */
export async function disconnectNats(connection: NatsConnection): Promise<void> {
  const handedOver = new AbortController()
  const overdue = pause(drainWithinMs, undefined, { signal: handedOver.signal })
  await Promise.race([connection.drain(), overdue]).catch(() => undefined)
  handedOver.abort()
  await connection.close()
}

function settingsOf(options: ConnectNatsOptions): NodeConnectionOptions {
  const { servers, tls, ...inUrl } = readNatsUrl(options.url)
  const { user = inUrl.user, pass = inUrl.pass, token = inUrl.token, inboxPrefix } = options
  return {
    servers: [...servers],
    name: options.name,
    ...(user === undefined ? {} : { user }),
    ...(pass === undefined ? {} : { pass }),
    ...(token === undefined ? {} : { token }),
    ...(tls ? { tls: {} } : {}),
    ...proofSettings(options.proof ?? {}),
    ...(inboxPrefix === undefined ? {} : { inboxPrefix }),
    timeout: connectTimeoutMs,
    // The client's own waiting can neither be interrupted nor seen, and never tells that the secret is wrong.
    waitOnFirstConnect: false,
    reconnect: true,
    maxReconnectAttempts: -1,
    reconnectTimeWait: reconnectWaitMs,
    reconnectJitter: reconnectJitterMs,
    reconnectJitterTLS: reconnectJitterMs,
    pingInterval: pingIntervalMs,
    maxPingOut: unansweredPingsMax,
    // Otherwise it notes down where it is twice a question, for errors that `classify` tells in our own words anyway.
    noAsyncTraces: true,
    // Otherwise the client closes for good after two refusals in a row, which a broker being reconfigured can give.
    ignoreAuthErrorAbort: true,
  }
}

async function firstConnection(settings: NodeConnectionOptions, options: ConnectNatsOptions): Promise<NatsConnection> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await connect(settings)
    } catch (error) {
      const goesOn = options.waitOnFirstConnect ? !isRefusal(error) : isLateness(error) && attempt < lateAttemptsMax
      if (!goesOn) throw classify(error)
      if (attempt === 1)
        options.log.warn('nats is not there yet, waiting', { name: options.name, reason: reasonOf(error) })
    }
    const waitMs = reconnectWaitMs + Math.random() * reconnectJitterMs
    await pause(waitMs, undefined, options.signal ? { signal: options.signal } : {})
  }
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
  if (isRefusal(error))
    return new Error('the message broker refused our credentials: check NATS_USER, NATS_CREDS and those in NATS_URL', {
      cause: error,
    })
  return away('broker_unavailable', `the message broker could not be reached: ${reasonOf(error)}`, error)
}

function isRefusal(error: unknown): boolean {
  return error instanceof errors.AuthorizationError && !isLateness(error)
}

/** Whoever has too much to do may not say who it is in the time that the broker allows: that says nothing of its secret. */
function isLateness(error: unknown): boolean {
  return error instanceof errors.AuthorizationError && /authentication timeout/i.test(error.message)
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

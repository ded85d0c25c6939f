import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'

import { away, FailureError, retryable } from '../../actors/failure.ts'
import type { Log } from '../../actors/ports.ts'
import { problemOf } from '../problem.ts'
import type { Rates } from '../rates.ts'
import { writeAnswer, writeProblem } from '../write-answer.ts'
import { joinSockets } from './join-sockets.ts'
import { passedHeaders } from './passed-headers.ts'
import { readPassedAnswer } from './passed-answer.ts'
import type { PassedAnswer } from './passed-answer.ts'
import { askRealtime } from './place.ts'
import type { RealtimePlace } from './place.ts'

interface PassOnLimits {
  /** That this gateway passes on at the same time: connections of other requests must be left. */
  readonly sessions: number
  /** How long the realtime server may take to answer. */
  readonly answerMs: number
  /** Of a refusal that is not a session. */
  readonly refusalBytes: number
  /** It pings, so that one from which nothing came for so long is gone. */
  readonly silenceMs: number
  /** How long one side may take to read what the other left when it closed. */
  readonly lingerMs: number
}

const passOnLimits: PassOnLimits = {
  sessions: 5_000,
  answerMs: 10_000,
  refusalBytes: 64 * 1024,
  silenceMs: 300_000,
  lingerMs: 5_000,
}

interface PassOnPorts {
  readonly place: RealtimePlace
  readonly rates?: Pick<Rates, 'fromAddress'>
  readonly log: Log
}

/** Sessions that were asked for here and are held by the realtime server: bytes go to and fro, and nobody looks at them. */
export interface SessionPassage {
  take(request: IncomingMessage, client: Duplex, head: Buffer): void
  /** Ends what is left. */
  cutOff(): void
}

/** Who may open one, and what it says, is decided there; so are all limits of a user. */
export function openPassage(ports: PassOnPorts, given: Partial<PassOnLimits> = {}): SessionPassage {
  const limits = { ...passOnLimits, ...given }
  const clients = new Set<Duplex>()
  return {
    take(request, client, head) {
      const refusal = refusalOf(request, ports, clients.size >= limits.sessions)
      if (refusal) return writeProblem(client, refusal)
      clients.add(client)
      client.once('close', () => clients.delete(client))
      passOn({ request, client, head }, ports, limits)
    },
    cutOff() {
      for (const client of clients) client.destroy()
    },
  }
}

function refusalOf({ socket }: IncomingMessage, { rates }: PassOnPorts, isFull: boolean) {
  try {
    rates?.fromAddress(socket.remoteAddress ?? '')
    return isFull ? problem(retryable('overloaded', 'This server passes on as many sessions as it may.')) : undefined
  } catch (error) {
    if (error instanceof FailureError) return problem(error)
    throw error
  }
}

interface Asked {
  readonly request: IncomingMessage
  readonly client: Duplex
  readonly head: Buffer
}

/** Nothing of the client but these headers goes there before it has agreed to speak in frames. */
function passOn({ request, client, head }: Asked, { place, log }: PassOnPorts, limits: PassOnLimits): void {
  const asking = askRealtime(place, {
    path: request.url,
    headers: { ...passedHeaders(request.headers), connection: 'Upgrade', upgrade: 'websocket' },
    timeout: limits.answerMs,
  })
  const leave = (): void => void asking.destroy()
  client.once('close', leave)
  asking.once('upgrade', (answer, realtime, first) => {
    client.off('close', leave)
    client.write(switching(answer))
    client.write(first)
    realtime.write(head)
    joinSockets(client, realtime, limits)
  })
  asking.once('response', (answer) => {
    client.off('close', leave)
    mirror(answer, client, limits.refusalBytes)
  })
  asking.once('timeout', () => asking.destroy(new Error('the realtime server did not answer in time')))
  asking.once('error', (error) => {
    client.off('close', leave)
    if (client.destroyed) return
    log.warn('session not passed on', { error })
    writeProblem(client, problem(away('realtime_unavailable', 'The realtime server does not answer. Try again.')))
  })
  asking.end()
}

function problem(error: FailureError) {
  return problemOf(error, '')
}

function switching({ rawHeaders }: IncomingMessage): string {
  const lines = ['HTTP/1.1 101 Switching Protocols']
  for (let at = 0; at < rawHeaders.length; at += 2) lines.push(`${rawHeaders[at]}: ${rawHeaders[at + 1]}`)
  return `${lines.join('\r\n')}\r\n\r\n`
}

/** It refused by a status. The connection ends with it. */
function mirror(answer: IncomingMessage, client: Duplex, mostBytes: number): void {
  const write = ({ status, text, contentType }: PassedAnswer): void =>
    writeAnswer(client, { status, text, headers: { 'Content-Type': contentType } })
  void readPassedAnswer(answer, mostBytes).then(write, () => client.destroy())
}

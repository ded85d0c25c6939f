import { createServer as createPlain } from 'node:http'
import { createServer as createSecure } from 'node:https'
import type { AddressInfo } from 'node:net'

import type { ExecutionContext } from 'ava'
import { WebSocketServer } from 'ws'

import { defaultSessionLimits, openSession } from '../../realtime/session/session.ts'
import type { SessionLimits } from '../../realtime/session/session.ts'
import { aCertificate } from './certificate.ts'
import { aLog } from './log.ts'
import type { LoggedLine } from './log.ts'
import { aDetector, aListener, aModel, someVoices } from './realtime-fakes.ts'
import type { FakeListener, FakeModel } from './realtime-fakes.ts'

export interface RealtimeWs {
  readonly port: number
  /** Of the certificate, when there is one. */
  readonly ca: string
  readonly model: FakeModel
  readonly listener: FakeListener
  readonly voices: ReturnType<typeof someVoices>
  readonly log: { readonly lines: LoggedLine[] }
  /** What clients sent, as it came. */
  readonly received: string[]
}

/** Sessions on a socket for tests of clients: no key is wrong, and all sessions share their fakes. */
export async function aRealtimeWs(
  t: ExecutionContext,
  options: { readonly tls?: boolean; readonly limits?: Partial<SessionLimits> } = {},
): Promise<RealtimeWs> {
  const certificate = aCertificate('localhost')
  const server = options.tls ? createSecure(certificate) : createPlain()
  const fakes = { model: aModel(), listener: aListener(), voices: someVoices() }
  const log = aLog()
  const received: string[] = []
  const limits = { ...defaultSessionLimits, aheadMs: 300, deltaMs: 100, ...options.limits }
  let counted = 0
  const sockets = new WebSocketServer({
    server,
    path: '/v1/realtime',
    handleProtocols: (offered) => (offered.has('realtime') ? 'realtime' : false),
  })
  sockets.on('connection', (socket, request) => {
    const query = new URL(request.url ?? '/', 'ws://localhost').searchParams
    const session = openSession({
      dialect: request.headers['openai-beta'] === 'realtime=v1' ? 'beta' : 'ga',
      kind: query.get('intent') === 'transcription' ? 'transcription' : 'realtime',
      model: query.get('model') ?? '',
      detector: aDetector(),
      listener: fakes.listener,
      answers: fakes.model,
      voices: fakes.voices,
      clock: { nowMs: () => Date.now(), elapsedMs: () => performance.now() },
      newId: (prefix) => `${prefix}_${(counted += 1)}`,
      limits,
      send: (event) => socket.send(event),
      close: (code, reason) => socket.close(code, reason),
      log,
    })
    socket.on('message', (data: Buffer, isBinary) => {
      if (isBinary) return session.receiveBinary()
      received.push(data.toString())
      session.receive(data.toString())
    })
    socket.on('close', () => session.end())
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  t.teardown(async () => {
    for (const socket of sockets.clients) socket.terminate()
    sockets.close()
    await new Promise((resolve) => server.close(resolve))
  })
  return { port: (server.address() as AddressInfo).port, ca: certificate.cert, ...fakes, log, received }
}

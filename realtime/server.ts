import uws from 'uWebSockets.js'
import type {
  HttpRequest,
  HttpResponse,
  TemplatedApp,
  us_listen_socket,
  us_socket_context_t,
  WebSocket,
} from 'uWebSockets.js'

import type { Clock, Log } from '../actors/ports.ts'
import { ending } from './close.ts'
import type { Ending } from './close.ts'
import { admit } from './connect/admit.ts'
import type { Admission, Admitted, Doors } from './connect/admit.ts'
import type { UpgradeRequest } from './connect/wish.ts'
import { answerRequests } from './http/routes.ts'
import type { HttpPorts } from './http/routes.ts'
import type { RunningSession } from './session/session.ts'
import { Socket } from './socket.ts'
import type { SocketLimits } from './socket.ts'

export interface ServerPorts extends HttpPorts {
  readonly doors: Doors
  /** Opens the session of an admitted client on its socket. */
  open(admitted: Admitted, socket: Socket<Client>): RunningSession
  newId(prefix: string): string
  readonly clock: Clock
  readonly log: Log
}

export interface ServerOptions {
  readonly host: string
  readonly port: number
  readonly tls?: { readonly certPath: string; readonly keyPath: string } | undefined
  readonly refuseByStatus: boolean
  readonly pingSeconds: number
  /** Of one frame. */
  readonly frameMaxBytes: number
  readonly socketLimits: SocketLimits
}

/** What uWebSockets keeps with a socket. */
export interface Client {
  readonly admission: Admission
  socket?: Socket<Client>
  session?: RunningSession
  untilTimer?: NodeJS.Timeout | undefined
}

export interface RunningServer {
  readonly port: number
  /** The API keys that sessions were opened with. */
  keyIds(): readonly string[]
  endSessionsOf(keyId: string, why: Ending): void
  /** Takes nobody new; lets those who are here finish for so long, then closes what is left with 1012. */
  drain(withinMs: number): Promise<void>
}

const timerMaxMs = 2 ** 31 - 1
const drainLookMs = 50
/** LIBUS_LISTEN_EXCLUSIVE_PORT, which its declarations have as a type only. */
const exclusivePort = 1

export async function serve(ports: ServerPorts, options: ServerOptions): Promise<RunningServer> {
  const { tls } = options
  const app = tls
    ? uws.SSLApp({ cert_file_name: tls.certPath, key_file_name: tls.keyPath, ssl_prefer_low_memory_usage: true })
    : uws.App()
  const clients = new Set<Client>()
  for (const path of ['/v1/realtime', '/realtime']) app.ws<Client>(path, behaviour(ports, options, clients))
  answerRequests(app, ports)
  const listening = await listen(app, options)
  return {
    port: uws.us_socket_local_port(listening),
    keyIds: () => [...new Set(Array.from(clients, keyIdOf))].filter((keyId) => keyId !== undefined),
    endSessionsOf(keyId, why) {
      for (const client of clients) if (keyIdOf(client) === keyId) client.socket?.end(why)
    },
    async drain(withinMs) {
      uws.us_listen_socket_close(listening)
      for (const { session } of clients) session?.drain()
      const deadlineMs = ports.clock.elapsedMs() + withinMs
      while (clients.size > 0 && ports.clock.elapsedMs() < deadlineMs)
        await new Promise((resolve) => setTimeout(resolve, drainLookMs))
      for (const { socket } of clients) socket?.end(ending('server_restart', 'This server stops now.'))
      app.close()
    },
  }
}

function keyIdOf({ admission }: Client): string | undefined {
  return 'admitted' in admission ? admission.admitted.keyId : undefined
}

function behaviour(ports: ServerPorts, options: ServerOptions, clients: Set<Client>) {
  return {
    maxPayloadLength: options.frameMaxBytes,
    // the socket looks at what is unread after every event, and closes with a reason instead of dropping
    maxBackpressure: 0,
    idleTimeout: 2 * options.pingSeconds,
    sendPingsAutomatically: true,
    compression: uws.DISABLED,
    upgrade: (response: HttpResponse, request: HttpRequest, context: us_socket_context_t) =>
      upgrade({ response, request, context }, ports, options),
    open(ws: WebSocket<Client>) {
      begin(ws, ports, options)
      if (ws.getUserData().session) clients.add(ws.getUserData())
    },
    message(ws: WebSocket<Client>, frame: ArrayBuffer, isBinary: boolean) {
      const { socket, session } = ws.getUserData()
      if (!socket?.isOpen || !socket.counts(ports.clock.elapsedMs())) return
      if (isBinary) session?.receiveBinary()
      else session?.receive(Buffer.from(frame).toString('utf8'))
    },
    close(ws: WebSocket<Client>) {
      const client = ws.getUserData()
      clients.delete(client)
      finish(client, ports)
    },
  }
}

interface Upgrade {
  readonly response: HttpResponse
  readonly request: HttpRequest
  readonly context: us_socket_context_t
}

/** Everything of the request is copied before the first `await`: uWebSockets takes it back then. */
async function upgrade(of: Upgrade, ports: ServerPorts, options: ServerOptions): Promise<void> {
  const { response, request, context } = of
  const key = request.getHeader('sec-websocket-key')
  const extensions = request.getHeader('sec-websocket-extensions')
  const asked = copyOf(request)
  let isGone = false
  response.onAborted(() => {
    isGone = true
  })
  const admission = await admit(asked, ports.doors)
  if (isGone) {
    if ('admitted' in admission) ports.doors.places.give(admission.admitted.principal.owner)
    return
  }
  response.cork(() => {
    if ('refused' in admission && options.refuseByStatus) return refuse(response, admission.refused)
    response.upgrade<Client>({ admission }, key, admission.protocol, extensions, context)
  })
}

function copyOf(request: HttpRequest): UpgradeRequest {
  let hasBetaHeader = false
  request.forEach((name, value) => {
    if (name.endsWith('-beta') && /\brealtime=v1\b/.test(value)) hasBetaHeader = true
  })
  return {
    query: request.getQuery(),
    authorization: request.getHeader('authorization'),
    protocols: request.getHeader('sec-websocket-protocol'),
    origin: request.getHeader('origin'),
    host: request.getHeader('host'),
    hasBetaHeader,
  }
}

function refuse(response: HttpResponse, { status, type, code, message }: Ending): void {
  response.writeStatus(String(status))
  response.writeHeader('Content-Type', 'application/json')
  response.end(JSON.stringify({ error: { type, code, message, param: null } }))
}

function begin(ws: WebSocket<Client>, ports: ServerPorts, { socketLimits }: ServerOptions): void {
  const client = ws.getUserData()
  const socket = new Socket(ws, { limits: socketLimits, newId: (prefix) => ports.newId(prefix) })
  if ('refused' in client.admission) return socket.end(client.admission.refused)
  const { admitted } = client.admission
  client.socket = socket
  client.session = ports.open(admitted, socket)
  if (admitted.untilMs !== undefined) client.untilTimer = endAt(admitted.untilMs, socket, ports.clock)
  ports.log.debug('session opened', { owner: admitted.principal.owner, kind: admitted.kind })
}

function endAt(untilMs: number, socket: Socket<Client>, clock: Clock): NodeJS.Timeout {
  const leftMs = Math.min(timerMaxMs, Math.max(0, untilMs - clock.nowMs()))
  const why = ending('session_expired', 'Your token expired, and the session with it. Connect again with a new one.')
  return setTimeout(() => socket.end(why), leftMs).unref()
}

/** However it ended: nothing runs on for a client that is gone. */
function finish(client: Client, ports: ServerPorts): void {
  client.socket?.forget()
  clearTimeout(client.untilTimer)
  client.session?.end()
  if ('admitted' in client.admission) ports.doors.places.give(client.admission.admitted.principal.owner)
}

/** What its declarations leave out. */
interface ExclusiveListener {
  listen(host: string, port: number, options: number, done: (socket: us_listen_socket | false) => void): void
}

function listen(app: TemplatedApp, { host, port }: ServerOptions): Promise<us_listen_socket> {
  return new Promise((resolve, reject) => {
    // as: the overload exists; without the option two servers would share the port, and sessions fall to either
    const listener = app as unknown as ExclusiveListener
    listener.listen(host, port, exclusivePort, (socket) => {
      if (socket) resolve(socket)
      // it does not say why; that the port is taken is nearly always true
      else reject(Object.assign(new Error(`cannot listen on ${host}:${port}`), { code: 'EADDRINUSE' }))
    })
  })
}

import uws from 'uWebSockets.js'
import type { HttpRequest, HttpResponse, us_socket_context_t, WebSocket } from 'uWebSockets.js'

import { sessionPaths, speechStreamPath } from '../actors/conversation/ports.ts'
import { openCalls } from './call/calls.ts'
import type { CallAddress } from './call/peer.ts'
import { ending } from './close.ts'
import type { SessionEnding } from './close.ts'
import { RealtimeClient } from './client.ts'
import type { ClientPorts, UserData } from './client.ts'
import { admit } from './connect/admit.ts'
import type { Admission, Doors } from './connect/admit.ts'
import { copyRequest } from './connect/copy-request.ts'
import { refuseUpgrade } from './connect/refuse-upgrade.ts'
import { readRequest } from './connect/request.ts'
import { answerCalls } from './http/calls.ts'
import { answerRequests } from './http/routes.ts'
import type { HttpPorts } from './http/routes.ts'
import { listenAlone } from './listen-alone.ts'
import type { ListenAddress } from './listen-alone.ts'
import type { SocketLimits } from './socket.ts'
import { answerPhones } from './telephone/phone-routes.ts'
import type { PhoneOptions } from './telephone/phone-routes.ts'

export interface ServerPorts extends HttpPorts, ClientPorts {
  readonly doors: Doors
}

export interface ServerOptions extends ListenAddress {
  readonly tls?: { readonly certPath: string; readonly keyPath: string } | undefined
  readonly refuseByStatus: boolean
  readonly pingSeconds: number
  /** Of one frame. */
  readonly frameMaxBytes: number
  readonly socketLimits: SocketLimits
  readonly calls: { readonly address: CallAddress; readonly connectMs: number }
  readonly telephone: Omit<PhoneOptions, 'pingSeconds'>
}

export interface RunningRealtimeServer {
  readonly port: number
  /** The API keys that sessions were opened with. */
  keyIds(): readonly string[]
  endSessionsOf(keyId: string, why: SessionEnding): void
  /** Takes nobody new; lets those who are here finish for so long, then closes what is left with 1012. */
  drain(withinMs: number): Promise<void>
}

const drainLookMs = 50
/** Of who closes a session because it is over: with 1000, or without any code. */
const meantCodes: ReadonlySet<number> = new Set([1000, 1005])

export async function serveRealtime(ports: ServerPorts, options: ServerOptions): Promise<RunningRealtimeServer> {
  const { tls } = options
  const app = tls
    ? uws.SSLApp({ cert_file_name: tls.certPath, key_file_name: tls.keyPath, ssl_prefer_low_memory_usage: true })
    : uws.App()
  const clients = new Set<RealtimeClient>()
  for (const path of [...sessionPaths, speechStreamPath]) app.ws<UserData>(path, behaviour(ports, options, clients))
  const calls = openCalls({ ...ports, ...options.calls, limits: options.socketLimits }, clients)
  answerCalls(app, { ...ports, calls })
  const { socketLimits: limits, pingSeconds } = options
  const phones = answerPhones(app, { ...ports, limits, clients }, { ...options.telephone, pingSeconds })
  answerRequests(app, ports)
  const listening = await listenAlone(app, options)
  return {
    port: uws.us_socket_local_port(listening),
    keyIds: () => [...new Set(Array.from(clients, ({ keyId }) => keyId))].filter((keyId) => keyId !== undefined),
    endSessionsOf(keyId, why) {
      for (const client of clients) if (client.keyId === keyId) client.end(why)
    },
    async drain(withinMs) {
      uws.us_listen_socket_close(listening)
      calls.endConnecting()
      phones.endWaiting()
      for (const client of clients) client.drain()
      const deadlineMs = ports.clock.elapsedMs() + withinMs
      while (clients.size + phones.waiting > 0 && ports.clock.elapsedMs() < deadlineMs)
        await new Promise((resolve) => setTimeout(resolve, drainLookMs))
      for (const client of clients) client.end(ending('server_restart', 'This server stops now.'))
      calls.endAll()
      app.close()
    },
  }
}

function behaviour(ports: ServerPorts, options: ServerOptions, clients: Set<RealtimeClient>) {
  return {
    maxPayloadLength: options.frameMaxBytes,
    // the socket looks at what is unread after every event, and closes with a reason instead of dropping
    maxBackpressure: 0,
    idleTimeout: 2 * options.pingSeconds,
    sendPingsAutomatically: true,
    compression: uws.DISABLED,
    upgrade: (response: HttpResponse, request: HttpRequest, context: us_socket_context_t) =>
      upgrade({ response, request, context }, ports, options),
    open(ws: WebSocket<UserData>) {
      const { client } = ws.getUserData()
      clients.add(client)
      void client.open(ws, options.socketLimits)
    },
    message(ws: WebSocket<UserData>, frame: ArrayBuffer, isBinary: boolean) {
      const { client } = ws.getUserData()
      if (isBinary) client.receiveBinary(frame.byteLength)
      else client.receive(Buffer.from(frame).toString('utf8'))
    },
    drain: (ws: WebSocket<UserData>) => ws.getUserData().client.wasRead(),
    ping: (ws: WebSocket<UserData>) => ws.getUserData().client.pinged(),
    close(ws: WebSocket<UserData>, code: number) {
      const { client } = ws.getUserData()
      clients.delete(client)
      client.closed(meantCodes.has(code))
    },
  }
}

interface Upgrade {
  readonly response: HttpResponse
  readonly request: HttpRequest
  readonly context: us_socket_context_t
}

/** Everything of the request is copied before the first `await`: uWebSockets takes it back then. */
function upgrade(asked: Upgrade, ports: ServerPorts, options: ServerOptions): void {
  const { response, request, context } = asked
  const key = request.getHeader('sec-websocket-key')
  const extensions = request.getHeader('sec-websocket-extensions')
  const copied = copyRequest(request, Buffer.from(response.getRemoteAddressAsText()).toString())
  const { protocol } = readRequest(copied)
  const admission = admit(copied, ports.doors)
  const accept = (): void =>
    response.upgrade<UserData>({ client: new RealtimeClient(admission, ports) }, key, protocol, extensions, context)
  if (options.refuseByStatus) void refuseOr(accept, { response, admission, ports })
  else accept()
}

/**
 * A socket that is upgraded later than its request must not be corked: where it stays in its place in memory, uncorking takes
 * it for the request that it was, and may close it. uWebSockets warns of that, and the warning is the lesser evil.
 */
async function refuseOr(
  accept: () => void,
  options: { response: HttpResponse; admission: Promise<Admission>; ports: ServerPorts },
): Promise<void> {
  const { response, ports } = options
  let isGone = false
  response.onAborted(() => {
    isGone = true
  })
  const admission = await options.admission
  if ('refused' in admission) {
    if (!isGone) response.cork(() => refuseUpgrade(response, admission.refused))
  } else if (isGone) ports.doors.places.give(admission.admitted.principal.owner)
  else accept()
}

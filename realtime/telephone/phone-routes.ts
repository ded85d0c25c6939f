import uws from 'uWebSockets.js'
import type { HttpRequest, HttpResponse, TemplatedApp, us_socket_context_t, WebSocket } from 'uWebSockets.js'

import { telephonePaths } from '../../actors/conversation/ports.ts'
import type { RealtimeClient } from '../client.ts'
import { ending } from '../close.ts'
import type { SessionEnding } from '../close.ts'
import { copyRequest } from '../connect/copy-request.ts'
import { refuseUpgrade } from '../connect/refuse-upgrade.ts'
import type { UpgradeRequest } from '../connect/request.ts'
import type { Carrier } from './carrier.ts'
import { exotel } from './exotel.ts'
import { PhoneCall } from './phone-call.ts'
import type { PhonePorts } from './phone-call.ts'
import { plivo } from './plivo.ts'
import { isSignedByTwilio } from './twilio-signature.ts'
import { twilio } from './twilio.ts'

export interface PhoneOptions {
  /** Of the account at Twilio; empty: nobody looks whether Twilio has signed. */
  readonly twilioAuthToken: string
  /** Where carriers find this server; empty: at the host that their request names. */
  readonly publicUrl: string
  readonly times?: PhonePorts['times']
  readonly pingSeconds: number
}

interface PhoneCalls {
  /** Of which nobody knows yet whose they are. */
  readonly waiting: number
  endWaiting(): void
}

interface PhoneData {
  readonly call: PhoneCall
}

/** 20 ms of audio in base64 are 214 bytes, and the parameters of a call a few thousand. */
const frameMaxBytes = 64 * 1024
/** Connections that have not said which call they are; a carrier says it at once. */
const waitingMax = 256
const usualTimes = { startMs: 10_000, idleMs: 60_000 }

const carriers: Readonly<Record<(typeof telephonePaths)[number], Carrier>> = {
  '/telephone/twilio': twilio,
  '/telephone/plivo': plivo,
  '/telephone/exotel': exotel,
}

/** Where carriers connect the calls that they take. */
export function answerPhones(
  app: TemplatedApp,
  ports: Omit<PhonePorts, 'begun' | 'ended' | 'times'> & { readonly clients: Set<RealtimeClient> },
  options: PhoneOptions,
): PhoneCalls {
  const waiting = new Set<PhoneCall>()
  const phonePorts: PhonePorts = {
    ...ports,
    times: options.times ?? usualTimes,
    begun(call, client) {
      waiting.delete(call)
      ports.clients.add(client)
    },
    ended(call) {
      waiting.delete(call)
      if (call.client) ports.clients.delete(call.client)
    },
  }
  const refusalOf = (carrier: Carrier, request: UpgradeRequest, signature: string): SessionEnding | undefined => {
    if (ports.doors.isDraining()) return ending('server_restart', 'This server is about to stop.')
    if (waiting.size >= waitingMax) return ending('server_full', `${waitingMax} calls have not said which they are.`)
    return carrier === twilio ? complaintAboutSignature(signature, request, options) : undefined
  }
  for (const path of telephonePaths)
    app.ws<PhoneData>(path, {
      ...phoneBehaviour(options),
      upgrade(response: HttpResponse, request: HttpRequest, context: us_socket_context_t) {
        const copied = copyRequest(request, Buffer.from(response.getRemoteAddressAsText()).toString())
        const carrier = carriers[path]
        const refused = refusalOf(carrier, copied, request.getHeader('x-twilio-signature'))
        if (refused) return refuseUpgrade(response, refused)
        const call = new PhoneCall(phonePorts, { carrier, request: copied })
        waiting.add(call)
        const key = request.getHeader('sec-websocket-key')
        response.upgrade<PhoneData>({ call }, key, '', request.getHeader('sec-websocket-extensions'), context)
      },
    })
  return {
    get waiting() {
      return waiting.size
    },
    endWaiting() {
      for (const call of waiting) call.end(ending('server_restart', 'This server stops now.'))
    },
  }
}

function phoneBehaviour({ pingSeconds }: PhoneOptions) {
  return {
    maxPayloadLength: frameMaxBytes,
    // what is unread is looked at where events of the session are sent
    maxBackpressure: 0,
    idleTimeout: 2 * pingSeconds,
    sendPingsAutomatically: true,
    compression: uws.DISABLED,
    open: (ws: WebSocket<PhoneData>) => ws.getUserData().call.open(ws),
    message: (ws: WebSocket<PhoneData>, frame: ArrayBuffer, isBinary: boolean) =>
      ws.getUserData().call.receive(isBinary ? undefined : Buffer.from(frame).toString('utf8')),
    close: (ws: WebSocket<PhoneData>) => ws.getUserData().call.closed(),
  }
}

function complaintAboutSignature(
  signature: string,
  request: UpgradeRequest,
  { twilioAuthToken: authToken, publicUrl }: PhoneOptions,
): SessionEnding | undefined {
  if (authToken === '' || isSignedByTwilio(signature, request, { authToken, publicUrl })) return undefined
  return ending('invalid_signature', 'X-Twilio-Signature is not that of this address and TELEPHONE_TWILIO_AUTH_TOKEN.')
}

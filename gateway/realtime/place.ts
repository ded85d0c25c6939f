import { request } from 'node:http'
import type { ClientRequest, RequestOptions } from 'node:http'
import { request as secureRequest } from 'node:https'

/** Where the realtime server is. */
export interface RealtimePlace {
  readonly host: string
  readonly port: number
  /** Whether it speaks `wss:` and `https:`. */
  readonly isSecure: boolean
  /** On this machine, so that pages find it on the host that they came from. */
  readonly isHere: boolean
  /** PEM, of a server on this machine: what it shows is known, whatever name it is for. Absent: what the system trusts. */
  readonly certificate?: string | undefined
}

export function askRealtime(place: RealtimePlace, options: RequestOptions): ClientRequest {
  const { host, port, isSecure, certificate } = place
  const asked = { ...options, host, port, agent: false }
  if (!isSecure) return request(asked)
  return secureRequest({
    ...asked,
    ...(certificate !== undefined && {
      ca: certificate,
      allowPartialTrustChain: true,
      checkServerIdentity: () => undefined,
    }),
  })
}

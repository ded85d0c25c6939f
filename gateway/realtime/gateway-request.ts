import { IncomingMessage } from 'node:http'

import { sessionPaths, speechStreamPath, telephonePaths } from '../../actors/conversation/ports.ts'

const paths: ReadonlySet<string> = new Set([...sessionPaths, speechStreamPath, ...telephonePaths])
const offering = new WeakSet<IncomingMessage>()

/**
 * Node takes whatever offers an upgrade out of HTTP, its body too, once anybody listens for upgrades, and Java's client offers
 * `h2c` with each request. Here only what opens a session is one; all others are answered as if they had offered nothing.
 */
export class GatewayRequest extends IncomingMessage {
  get upgrade(): boolean {
    return offering.has(this) && isSessionRequest(this)
  }

  /** By the constructor and by the parser. */
  set upgrade(isOffered: boolean | null) {
    if (isOffered) offering.add(this)
  }
}

function isSessionRequest({ method, url = '', headers }: IncomingMessage): boolean {
  const [path = ''] = url.split('?', 1)
  return method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket' && paths.has(path)
}

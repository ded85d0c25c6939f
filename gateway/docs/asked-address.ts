import type { IncomingMessage } from 'node:http'
import { isIPv6 } from 'node:net'
import { TLSSocket } from 'node:tls'

/** A name or an address with its port, and nothing that would mean more in a shell, a page or a URL. */
const hostPattern = /^(?:[\w.-]{1,253}|\[[\da-f:.]{2,45}\])(?::\d{1,5})?$/i

/**
 * Where the reader found us, to be shown to the same reader. A proxy in front of us that ends TLS says so; what else could say it only
 * deceives itself, as browsers send neither of the two headers on behalf of a page.
 */
export function askedAddress({ headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>): string {
  const [forwarded = ''] = [headers['x-forwarded-proto'] ?? []].flat()
  const isSecure = socket instanceof TLSSocket || /^https\s*(?:,|$)/i.test(forwarded)
  const { host = '' } = headers
  const address = `${isSecure ? 'https' : 'http'}://${host}`
  return hostPattern.test(host) && URL.canParse(address) ? address : connectedAddress(socket)
}

/** Of a client that says nothing that makes sense, we know at least where it came to. */
function connectedAddress(socket: IncomingMessage['socket']): string {
  const { localAddress = '127.0.0.1', localPort = 0 } = socket
  const host = localAddress.replace(/^::ffff:/, '')
  const scheme = socket instanceof TLSSocket ? 'https' : 'http'
  return `${scheme}://${isIPv6(host) ? `[${host}]` : host}:${localPort}`
}

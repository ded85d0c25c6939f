/** What NATS_URL says: one address or several of a cluster, between commas, with or without credentials. */
interface NatsUrl {
  readonly servers: readonly string[]
  readonly user?: string
  readonly pass?: string
  readonly token?: string
  readonly tls: boolean
}

const addressesMax = 16
const schemes = new Set(['nats:', 'tls:'])
const defaultPort = '4222'

/**
 * The client would overlook the credentials in an address, and would speak in clear text to one that begins with
 * `tls://`. So both are read here. What is wrong is an Error without the address, which may hold a password.
 */
export function readNatsUrl(text: string): NatsUrl {
  const addresses = text
    .split(',')
    .map((address) => address.trim())
    .filter(Boolean)
    .map(readAddress)
  const [first] = addresses
  if (!first) throw new Error('NATS_URL is empty; it looks like nats://host:4222')
  if (addresses.length > addressesMax) throw new Error(`NATS_URL names more than ${addressesMax} addresses`)
  const servers = addresses.map((address) => `${address.hostname}:${address.port || defaultPort}`)
  const tls = addresses.some((address) => address.protocol === 'tls:')
  const [name, pass] = [decoded(first.username), decoded(first.password)]
  if (name === '') return { servers, tls }
  return pass === '' ? { servers, tls, token: name } : { servers, tls, user: name, pass }
}

function readAddress(address: string): URL {
  const withScheme = address.includes('://') ? address : `nats://${address}`
  if (!URL.canParse(withScheme)) throw new Error('NATS_URL cannot be read; it looks like nats://host:4222')
  const url = new URL(withScheme)
  if (!schemes.has(url.protocol) || url.hostname === '')
    throw new Error(`NATS_URL begins with ${url.protocol}// but must be nats://host:port or tls://host:port`)
  return url
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new Error('NATS_URL has credentials with a % that is not part of a percent-encoding; write it as %25')
  }
}

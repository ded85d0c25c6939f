import { BlockList, isIP } from 'node:net'

/** Addresses that share their first bits. */
export interface AddressRange {
  readonly network: string
  readonly prefixBits: number
}

/**
 * One that the whole internet may reach, or one of a network that the operator allowed. What cannot be read is neither.
 * `BlockList` takes an IPv4 address and the IPv6 address it maps to (RFC 4291, 2.5.5.2) for one.
 */
export function mayBeReached(address: string, allowed: readonly AddressRange[]): boolean {
  if (!isAddress(address)) return false
  const isPublic = isIn(worldwide, address) && !isIn(special, address)
  return isPublic || isIn(listOf(allowed), address)
}

/** The usual notations only, as resolvers and `URL` write them; without a zone. */
export function isAddress(text: string): boolean {
  return isIP(text) !== 0 && !text.includes('%')
}

/** `10.0.0.0/8`, `fd00::/8`, or a single address. */
export function readRange(text: string): AddressRange | undefined {
  const [, network = '', length] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  const bitsMax = familyOf(network) === 'ipv6' ? 128 : 32
  const prefixBits = length === undefined ? bitsMax : Number(length)
  return isAddress(network) && prefixBits <= bitsMax ? { network, prefixBits } : undefined
}

function isIn(list: BlockList, address: string): boolean {
  return list.check(address, familyOf(address))
}

function listOf(ranges: readonly AddressRange[]): BlockList {
  const list = new BlockList()
  for (const { network, prefixBits } of ranges) list.addSubnet(network, prefixBits, familyOf(network))
  return list
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4'
}

function rangesOf(...texts: readonly string[]): BlockList {
  return listOf(
    texts.map((text) => {
      const range = readRange(text)
      if (!range) throw new Error(`${text} is no range of addresses`)
      return range
    }),
  )
}

/** What is given out to the internet at all: IPv4, and of IPv6 the global unicast block. NAT64, ULA and others are outside. */
const worldwide = rangesOf('0.0.0.0/0', '2000::/3')

/** IANA's special-purpose registries, and what clouds put in the way of public addresses. */
const special = rangesOf(
  '0.0.0.0/8', // this host
  '10.0.0.0/8',
  '100.64.0.0/10', // carrier-grade NAT
  '127.0.0.0/8',
  '168.63.129.16/32', // Azure's host agent
  '169.254.0.0/16', // link-local, with the metadata of most clouds
  '172.16.0.0/12',
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16',
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, and broadcast
  '2001::/23', // protocol assignments, Teredo among them
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4
  '3fff::/20', // documentation
)

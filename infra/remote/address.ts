/** Addresses that share their first bits. */
export interface AddressRange {
  readonly prefix: bigint
  /** How many of the last bits do not matter. */
  readonly freeBits: bigint
}

const addressBits = 128
/** An IPv4 address is handled as the IPv6 address it maps to (RFC 4291, 2.5.5.2), so that both ways to write it are one. */
const mappedIpv4 = 0xffffn
const ipv4PrefixBits = 96

/** One that the whole internet may reach, or one of a network that the operator allowed. What cannot be read is neither. */
export function mayBeReached(address: string, allowed: readonly AddressRange[]): boolean {
  const bits = readAddress(address)
  return bits !== undefined && (isPublic(bits) || isIn(allowed, bits))
}

/** The usual notations only, as resolvers and `URL` write them; without a zone. */
export function readAddress(text: string): bigint | undefined {
  return text.includes(':') ? readIpv6(text) : readIpv4(text)
}

/** `10.0.0.0/8`, `fd00::/8`, or a single address. */
export function readRange(text: string): AddressRange | undefined {
  const [, address = '', length] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  const bits = readAddress(address)
  const before = address.includes(':') ? 0 : ipv4PrefixBits
  const prefixBits = length === undefined ? addressBits : before + Number(length)
  if (bits === undefined || prefixBits > addressBits) return undefined
  const freeBits = BigInt(addressBits - prefixBits)
  return { prefix: bits >> freeBits, freeBits }
}

function isPublic(bits: bigint): boolean {
  return isIn(worldwide, bits) && !isIn(special, bits)
}

function isIn(ranges: readonly AddressRange[], bits: bigint): boolean {
  return ranges.some(({ prefix, freeBits }) => bits >> freeBits === prefix)
}

function readIpv4(text: string): bigint | undefined {
  const parts = text.split('.')
  if (parts.length !== 4 || !parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256))
    return undefined
  return parts.reduce((bits, part) => (bits << 8n) | BigInt(part), mappedIpv4)
}

function readIpv6(text: string): bigint | undefined {
  const url = `http://[${text}]`
  if (!/^[\da-f:.]+$/i.test(text) || !URL.canParse(url)) return undefined
  // `URL` leaves eight groups of hexadecimal digits, at most one run of zeros shortened to `::`
  const [head = '', tail = ''] = new URL(url).hostname.slice(1, -1).split('::')
  const [left, right] = [groupsOf(head), groupsOf(tail)]
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => '0')
  return [...left, ...zeros, ...right].reduce((bits, group) => (bits << 16n) | BigInt(`0x${group}`), 0n)
}

function groupsOf(half: string): string[] {
  return half === '' ? [] : half.split(':')
}

function rangesOf(...texts: readonly string[]): AddressRange[] {
  return texts.map((text) => {
    const range = readRange(text)
    if (!range) throw new Error(`${text} is no range of addresses`)
    return range
  })
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

import { isIPv6 } from 'node:net'

const groups = 8
/** A network of IPv6: whoever has one address there has all of them. */
const networkGroups = 4

/** Who is meant by an address: itself, and of IPv6 its network. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(?<v4>\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.groups?.['v4']
  if (mapped !== undefined) return mapped
  if (!isIPv6(address)) return address
  const [before = '', after] = address.replace(/%.*$/, '').split('::')
  const [first, last] = [partsOf(before), partsOf(after ?? '')]
  const zeros = after === undefined ? 0 : Math.max(0, groups - first.length - last.length)
  const all = [...first, ...Array.from({ length: zeros }, () => '0'), ...last]
  return all
    .slice(0, networkGroups)
    .map((part) => Number.parseInt(part, 16).toString(16))
    .join(':')
}

function partsOf(text: string): string[] {
  return text === '' ? [] : text.split(':')
}

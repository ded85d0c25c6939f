import test from 'ava'
import * as fc from 'fast-check'

import { ConfigError, readConfig } from '../../infra/config/config.ts'
import { urlPolicy } from '../../infra/config/remote-limits.ts'
import { mayBeReached, readRange } from '../../infra/remote/address.ts'
import { judgeUrl } from '../../infra/remote/url.ts'
import type { UrlPolicy } from '../../infra/remote/url.ts'

const policy: UrlPolicy = urlPolicy(readConfig({}))
const refusalOf = (url: string, changes: Partial<UrlPolicy> = {}): string | undefined =>
  judgeUrl(url, { ...policy, ...changes }).refusal

/** First and last address of what is not the internet's, as numbers, written down apart from the code's own table. */
const notPublic: readonly (readonly [name: string, first: number, last: number])[] = [
  ['this host', 0x00000000, 0x00ffffff],
  ['ten', 0x0a000000, 0x0affffff],
  ['carrier-grade NAT', 0x64400000, 0x647fffff],
  ['loopback', 0x7f000000, 0x7fffffff],
  ['link-local', 0xa9fe0000, 0xa9feffff],
  ['172.16', 0xac100000, 0xac1fffff],
  ['protocol assignments', 0xc0000000, 0xc00000ff],
  ['documentation', 0xc0000200, 0xc00002ff],
  ['192.168', 0xc0a80000, 0xc0a8ffff],
  ['benchmarks', 0xc6120000, 0xc613ffff],
  ['documentation 2', 0xc6336400, 0xc63364ff],
  ['documentation 3', 0xcb007100, 0xcb0071ff],
  ['multicast', 0xe0000000, 0xefffffff],
  ['reserved and broadcast', 0xf0000000, 0xffffffff],
]

const octets = (address: number): number[] => [24, 16, 8, 0].map((shift) => (address >>> shift) & 0xff)
const dotted = (address: number): string => octets(address).join('.')
const hex = (value: number, digits = 1): string => value.toString(16).padStart(digits, '0')
const groups = (address: number): string => `${hex(address >>> 16)}:${hex(address & 0xffff)}`

/** Every way to write an IPv4 address that some reader of URLs understands. */
const notations: Record<string, (address: number) => string> = {
  dotted,
  'trailing dot': (address) => `${dotted(address)}.`,
  decimal: String,
  hexadecimal: (address) => `0x${hex(address)}`,
  octal: (address) => `0${address.toString(8)}`,
  'dotted hexadecimal': (address) =>
    octets(address)
      .map((octet) => `0x${hex(octet, 2)}`)
      .join('.'),
  'dotted octal': (address) =>
    octets(address)
      .map((octet) => `0${octet.toString(8)}`)
      .join('.'),
  'octal with many zeros': (address) =>
    octets(address)
      .map((octet) => octet.toString(8).padStart(9, '0'))
      .join('.'),
  'two parts': (address) => `${address >>> 24}.${address & 0xffffff}`,
  'three parts': (address) => `${octets(address).slice(0, 2).join('.')}.0x${hex(address & 0xffff)}`,
  'percent-encoded': (address) =>
    Array.from(dotted(address), (character) => `%${hex(character.charCodeAt(0), 2)}`).join(''),
  'full-width digits': (address) =>
    dotted(address).replaceAll(/\d/g, (digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0)),
  'ideographic full stops': (address) => octets(address).join('。'),
  mapped: (address) => `[::ffff:${dotted(address)}]`,
  'mapped in hexadecimal': (address) => `[::FFFF:${groups(address)}]`,
  'mapped in full': (address) => `[0:0:0:0:0:ffff:${groups(address)}]`,
  'IPv4-compatible': (address) => `[::${dotted(address)}]`,
  NAT64: (address) => `[64:ff9b::${dotted(address)}]`,
  'local NAT64': (address) => `[64:ff9b:1::${dotted(address)}]`,
  '6to4': (address) => `[2002:${groups(address)}::1]`,
  Teredo: (address) => `[2001:0:1234::${groups(~address >>> 0)}]`,
}

for (const [name, first, last] of notPublic)
  test(`an address of ${name} is refused in every notation`, (t) => {
    const anAddress = fc.oneof(fc.integer({ min: first, max: last }), fc.constantFrom(first, last))
    fc.assert(
      fc.property(
        anAddress,
        fc.constantFrom('http', 'https'),
        fc.constantFrom('', '/', ':443/a.mp3'),
        (address, scheme, rest) => {
          for (const [notation, write] of Object.entries(notations)) {
            const url = `${scheme}://${write(address)}${rest}`
            t.truthy(refusalOf(url), `${notation}: ${url}`)
          }
        },
      ),
    )
  })

test('the addresses just outside of what is not public are public, unless they begin what is not either', (t) => {
  const starts = new Set(notPublic.map(([, first]) => first))
  const ends = new Set(notPublic.map(([, , last]) => last))
  for (const [name, first, last] of notPublic) {
    if (first > 0 && !ends.has(first - 1)) t.true(mayBeReached(dotted(first - 1), []), `before ${name}`)
    if (last < 0xffffffff && !starts.has(last + 1)) t.true(mayBeReached(dotted(last + 1), []), `after ${name}`)
  }
})

test('a private address may be reached when its network is listed, and no other becomes so', (t) => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0x0a000000, max: 0x0affffff }),
      fc.integer({ min: 8, max: 32 }),
      (address, length) => {
        const allowPrivate = [readRange(`${dotted(address)}/${length}`)!]
        t.is(refusalOf(`http://${dotted(address)}/`, { allowPrivate }), undefined)
        t.is(refusalOf(`http://[::ffff:${dotted(address)}]/`, { allowPrivate }), undefined)
        t.truthy(refusalOf('http://192.168.0.1/', { allowPrivate }))
        const neighbour = (address ^ (1 << (32 - length))) >>> 0
        if (neighbour >>> 24 === 10) t.truthy(refusalOf(`http://${dotted(neighbour)}/`, { allowPrivate }))
      },
    ),
  )
})

const accepted = [
  'https://example.com/call.mp3',
  'HTTPS://EXAMPLE.COM:443/call.mp3?X-Amz-Signature=abc#t=1',
  'http://example.com',
  'http://example.com:8080/call.mp3',
  'https://उदाहरण.example/कॉल 1.mp3',
  'https://8.8.8.8/call.mp3',
  'https://[2606:4700:4700::1111]/call.mp3',
  'https://xn--h2brj9c.example/a',
  'https://localhost.example.com/a',
]

for (const url of accepted)
  test(`${url} may be tried`, (t) => {
    t.is(refusalOf(url), undefined)
  })

const refusals: Record<string, readonly string[]> = {
  'Only URLs that begin with https:// or http:// are fetched.': [
    'file:///etc/passwd',
    'gopher://example.com/_x',
    'data:audio/wav;base64,UklGRg==',
    'ftp://example.com/a.mp3',
    'ws://example.com/',
    'javascript:alert(1)',
    'blob:https://example.com/1',
    's3://bucket/key',
    'mailto:a@example.com',
    'localhost:8080/a.mp3',
  ],
  'This is not a URL: it looks like https://host/folder/call.mp3.': [
    '',
    'call.mp3',
    '/etc/passwd',
    '//example.com/a',
    'https://',
    'https://exa mple.com/',
    'https://example.com:99999/',
    'https://1.2.3.4.5/',
    'https://256.256.256.256/',
    'https://[::1/',
    'https://[fe80::1%25eth0]/',
    'https://[fe80::1%eth0]/',
  ],
  'The URL has line breaks or other control characters in it.': [
    'https://example.com/a\r\nHost: b',
    'https://127.0.0.1\t/',
    '\u0000https://example.com/',
    'https://example.com/\u0085',
  ],
  'The URL has more than 4096 characters.': [`https://example.com/${'a'.repeat(4_096)}`],
  'The URL holds a user name or password. Use one that needs neither, such as a signed URL.': [
    'https://anna:secret@example.com/',
    'https://anna@example.com/',
    'https://:secret@example.com/',
    'https://example.com@127.0.0.1/',
    'https://example.com%40evil:x@127.0.0.1/',
  ],
  'The port of the URL is not one that is fetched from: 80, 443, 8080, 8443.': [
    'http://example.com:22/',
    'http://example.com:0/',
    'https://example.com:6379/',
    'http://example.com:4222/',
  ],
  'The address in the URL is not written in the usual way, as four decimal numbers.': [
    'http://2130706433/',
    'http://0x7f.1/',
    'http://0177.0.0.1/',
    'http://127.1/',
    'http://0/',
    'http://134744072/',
    'http://①②⑦.⓪.⓪.①/',
  ],
  'The address in the URL is not public. Networks of one’s own are fetched from only when REMOTE_ALLOW_PRIVATE lists them.':
    [
      'http://localhost/',
      'http://localhost./',
      'http://LOCALHOST/',
      'http://ⓛocalhost/',
      'http://localhost%2e/',
      'http://a.localhost/',
      'http:\\\\127.0.0.1\\a',
      'http:///127.0.0.1/',
      'http:127.0.0.1/',
      'http://169.254.169.254/latest/meta-data/',
      'http://168.63.129.16/machine',
      'http://100.100.100.200/',
      'http://192.88.99.1/',
      'http://[::]/',
      'http://[::1]/',
      'http://[fe80::1]/',
      'http://[fec0::1]/',
      'http://[fc00::1]/',
      'http://[fd00:ec2::254]/',
      'http://[ff02::1]/',
      'http://[100::1]/',
      'http://[2001:db8::1]/',
      'http://[3fff::1]/',
      'http://[5f00::1]/',
      'http://[2001:2::1]/',
      'http://[2001:20::1]/',
    ],
}

for (const [refusal, urls] of Object.entries(refusals))
  for (const url of urls)
    test(`${JSON.stringify(url.slice(0, 80))} is refused: ${refusal}`, (t) => {
      t.is(refusalOf(url), refusal)
    })

test('http can be turned off', (t) => {
  t.is(
    refusalOf('http://example.com/a.mp3', { http: false }),
    'Only URLs that begin with https:// are fetched; http:// is turned off on this server.',
  )
  t.is(refusalOf('https://example.com/a.mp3', { http: false }), undefined)
})

test('no text makes the check throw, and no refusal repeats the text', (t) => {
  const aText = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.webUrl(),
    fc.ipV6(),
    fc.string().map((end) => `http://secret${end}`),
  )
  fc.assert(
    fc.property(aText, (text) => {
      t.false(judgeUrl(text, policy).refusal?.includes('secret') ?? false)
    }),
  )
})

test('an IPv6 address is read in every notation that means it', (t) => {
  fc.assert(
    fc.property(fc.ipV6(), (text) => {
      // as `URL` shortens it and as nobody shortens it
      const short = new URL(`http://[${text}]/`).hostname.slice(1, -1)
      const long = inFull(short)
      for (const network of [text, short, long.toUpperCase()])
        for (const address of [text, short, long.toUpperCase()])
          t.true(mayBeReached(address, [readRange(network)!]), `${address} as ${network}`)
      t.is(mayBeReached(short, []), mayBeReached(text, []), text)
      t.is(mayBeReached(long, []), mayBeReached(text, []), text)
    }),
  )
})

test('an IPv6 address that is not of a network is not taken for one of it', (t) => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 125n - 1n }), fc.integer({ min: 3, max: 128 }), (bits, length) => {
      // in 4000::/3, where nothing is public by itself
      const address = (2n << 125n) | bits
      const allowed = [readRange(`${eightGroups(address)}/${length}`)!]
      t.true(mayBeReached(eightGroups(address), allowed))
      t.true(mayBeReached(eightGroups((address >> BigInt(128 - length)) << BigInt(128 - length)), allowed))
      if (length > 3) t.false(mayBeReached(eightGroups(address ^ (1n << BigInt(128 - length))), allowed))
    }),
  )
})

/** All eight groups with all their digits, of what `URL` shortened. */
function inFull(short: string): string {
  const [head = [], tail = []] = short.split('::').map((half) => (half === '' ? [] : half.split(':')))
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => '0')
  return [...head, ...zeros, ...tail].map((group) => group.padStart(4, '0')).join(':')
}

function eightGroups(bits: bigint): string {
  return Array.from({ length: 8 }, (_, group) => hex(Number((bits >> BigInt(112 - 16 * group)) & 0xffffn))).join(':')
}

test('what a resolver should never answer may not be reached', (t) => {
  for (const answer of [
    '',
    'example.com',
    '1.2.3',
    '1.2.3.4.5',
    '08.8.8.8',
    '8.8.8.256',
    '8.8.8.8%eth0',
    '2606::1%eth0',
    ':',
    ':::',
  ])
    t.false(mayBeReached(answer, [readRange('0.0.0.0/0')!, readRange('::/0')!]), answer)
})

test('networks and ports of one’s own are read from the configuration', (t) => {
  const config = readConfig({ REMOTE_ALLOW_PRIVATE: '10.20.0.0/16, fd12::/48 ,192.168.1.5', REMOTE_PORTS: '9000' })
  for (const address of ['10.20.255.1', 'fd12::abcd', '192.168.1.5'])
    t.true(mayBeReached(address, config.remoteAllowPrivate), address)
  for (const address of ['10.21.0.0', 'fd12:0:1::', '192.168.1.6', '127.0.0.1'])
    t.false(mayBeReached(address, config.remoteAllowPrivate), address)
  t.deepEqual(config.remotePorts, [9000])
})

test('networks and ports that are none are refused at the start', (t) => {
  for (const wrong of [
    '10/8',
    '10.0.0.0/33',
    'fd12::/129',
    'intranet',
    '10.0.0.0/8;127.0.0.0/8',
    '10.0.0.0/-1',
    '10.0.0.0/',
  ])
    t.throws(() => readConfig({ REMOTE_ALLOW_PRIVATE: wrong }), { instanceOf: ConfigError }, wrong)
  for (const wrong of ['http', '0', '65536', '80-90', '80;443'])
    t.throws(() => readConfig({ REMOTE_PORTS: wrong }), { instanceOf: ConfigError }, wrong)
})

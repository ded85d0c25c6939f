import { access } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { createServer } from 'node:net'
import type { Socket } from 'node:net'
import { inspect } from 'node:util'
import { gzipSync } from 'node:zlib'

import test from 'ava'
import type { ExecutionContext } from 'ava'

import { FailureError, sentenceOf } from '../../actors/failure.ts'
import type { Failure } from '../../actors/failure.ts'
import type { Resolved } from '../../infra/remote/resolve.ts'
import { aCertificate } from '../support/certificate.ts'
import { eventually } from '../support/eventually.ts'
import { aWav } from '../support/media.ts'
import { aFetcher, aRemoteServer, brokenAfter, redirectTo, whole } from '../support/remote.ts'
import type { FetcherOptions, RemoteServer } from '../support/remote.ts'
import { failureOf } from '../support/tokens.ts'

const wav = Buffer.from(aWav({ seconds: 2 }))
const refused = { kind: 'terminal', code: 'remote_refused' } as const
const unavailable = { kind: 'retryable', code: 'remote_unavailable' } as const
const notPublic =
  'The host of this URL is unknown or not public. Networks of one’s own are fetched from only when REMOTE_ALLOW_PRIVATE lists them.'

/** What fetching comes to, with the proof that nothing of it stays behind on the disk. */
async function failing(t: ExecutionContext, url: string, options: FetcherOptions): Promise<Failure> {
  const { remote, path } = await aFetcher(t, options)
  const failure = await failureOf(t, remote.fetch(url, path))
  await t.throwsAsync(access(path), { code: 'ENOENT' })
  return failure
}

async function failingAt(
  t: ExecutionContext,
  server: RemoteServer,
  options: Partial<FetcherOptions> = {},
): Promise<Failure> {
  const failure = await failing(t, server.url, { ports: [server.port], ...options })
  await eventually('every connection is closed', async () => (await server.connections()) === 0)
  return failure
}

function addresses(...texts: readonly string[]): Resolved[] {
  return texts.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
}

/** Speaks TCP and what the test says. */
async function aSocketServer(
  t: ExecutionContext,
  talk: (socket: Socket) => void,
): Promise<{ port: number; url: string }> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    talk(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return { port: address.port, url: `http://127.0.0.1:${address.port}/` }
}

// where a URL leads

const hostile = [
  'file:///etc/passwd',
  'gopher://127.0.0.1:6379/_FLUSHALL',
  'data:audio/wav;base64,UklGRg==',
  'ftp://example.com/a.mp3',
  'https://anna:secret@example.com/a.mp3',
  'http://example.com:22/',
  'http://127.0.0.1/',
  'http://2130706433/',
  'http://0x7f000001/',
  'http://017700000001/',
  'http://127.1/',
  'http://0.0.0.0/',
  'http://10.0.0.1/',
  'http://172.31.255.255/',
  'http://192.168.1.1/',
  'http://100.64.0.1/',
  'http://169.254.169.254/latest/meta-data/',
  'http://224.0.0.1/',
  'http://255.255.255.255/',
  'http://[::]/',
  'http://[::1]/',
  'http://[::ffff:169.254.169.254]/',
  'http://[fe80::1%25eth0]/',
  'http://[fd00:ec2::254]/',
  'http://[64:ff9b::a9fe:a9fe]/',
  'http://[2002:7f00:1::]/',
  'http://[2001:0:7f00:1::]/',
  'http://localhost/',
  'http://localhost./',
  'http://ⓛocalhost/',
]

for (const url of hostile)
  test(`${url} is refused before any name is resolved`, async (t) => {
    const failure = await failing(t, url, {
      ports: [80, 443],
      policy: { allowPrivate: [] },
      resolve: () => Promise.reject(new Error('resolved')),
    })
    t.like(failure, refused)
  })

const poisoned: readonly (readonly string[])[] = [
  ['10.0.0.1'],
  ['93.184.216.34', '10.0.0.1'],
  ['10.0.0.1', '93.184.216.34'],
  ['2606:2800:220:1::1', 'fe80::1'],
  ['fe80::1%eth0'],
  ['::ffff:169.254.169.254'],
  ['::ffff:7f00:1'],
  ['64:ff9b::7f00:1'],
  ['0.0.0.0'],
  ['::'],
  ['not an address'],
  [],
]

for (const answers of poisoned)
  test(`a name is not fetched from that leads to ${answers.join(' and ') || 'nothing'}, and may be mended`, async (t) => {
    const failure = await failing(t, 'http://audio.example/', {
      ports: [80],
      policy: { allowPrivate: [] },
      resolve: () => Promise.resolve(addresses(...answers)),
    })
    t.deepEqual(failure, { ...unavailable, detail: notPublic })
  })

test('a name that does not exist gets the same answer as one that is not public, and is tried again', async (t) => {
  const resolve = () => Promise.reject(Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' }))
  const failure = await failing(t, 'http://no-such.example/', { ports: [80], resolve })
  t.deepEqual(failure, { ...unavailable, detail: notPublic })
})

test('a resolver that is away is an outage', async (t) => {
  const resolve = () => Promise.reject(Object.assign(new Error('getaddrinfo EAI_AGAIN'), { code: 'EAI_AGAIN' }))
  t.like(await failing(t, 'http://audio.example/', { ports: [80], resolve }), unavailable)
})

test.serial('a resolver that never answers is an outage', async (t) => {
  const resolve = () => new Promise<Resolved[]>(() => undefined)
  const failure = await failing(t, 'http://audio.example/', { ports: [80], resolve, limits: { patienceMs: 50 } })
  t.like(failure, unavailable)
})

test('a name that is answered differently the second time is connected to where the first answer led', async (t) => {
  const server = await aRemoteServer(t, whole(wav))
  const answers = [addresses('127.0.0.1'), addresses('10.0.0.1')]
  let asked = 0
  const resolve = () => Promise.resolve(answers[asked++] ?? [])
  const { remote, path } = await aFetcher(t, { ports: [server.port], resolve })
  const url = `http://rebinding.example:${server.port}/`
  t.is((await remote.fetch(url, path)).sizeBytes, wav.length)
  t.is(server.requests[0]?.headers.host, `rebinding.example:${server.port}`)
  t.is(asked, 1)
  t.deepEqual(await failureOf(t, remote.fetch(url, path)), { ...unavailable, detail: notPublic })
  t.is(server.requests.length, 1)
})

test('a name is checked again before a broken transfer is continued', async (t) => {
  const server = await aRemoteServer(t, brokenAfter(10_000, wav))
  const answers = [addresses('127.0.0.1'), addresses('10.0.0.1')]
  const resolve = () => Promise.resolve(answers.shift() ?? [])
  const url = `http://rebinding.example:${server.port}/`
  t.deepEqual(await failing(t, url, { ports: [server.port], resolve }), { ...unavailable, detail: notPublic })
  t.is(server.requests.length, 1)
})

// redirects

const badRedirects: Record<string, string> = {
  'file:///etc/passwd': 'Only URLs',
  'gopher://127.0.0.1/': 'Only URLs',
  'data:audio/wav;base64,UklGRg==': 'Only URLs',
  'http://10.0.0.1/': 'not public',
  'http://169.254.169.254/latest/meta-data/': 'not public',
  '//192.168.0.1/a': 'not public',
  'http://0xa9fea9fe/': 'not public',
  'http://[::1]/': 'not public',
  'http://anna:secret@example.com/': 'user name or password',
  'http://example.com:22/': 'port',
  'http://[': 'nowhere to go',
}

for (const [location, reason] of Object.entries(badRedirects))
  test(`a redirect to ${location} is not followed`, async (t) => {
    const server = await aRemoteServer(t, redirectTo(location))
    const failure = await failingAt(t, server, { policy: { ports: [80, server.port] } })
    t.like(failure, refused)
    t.regex(sentenceOf(failure), new RegExp(reason))
    t.is(server.requests.length, 1)
  })

test('a redirect to a name that leads inside is not followed', async (t) => {
  const server = await aRemoteServer(t, (_request, response) =>
    redirectTo(`http://inside.example:${server.port}/`)(_request, response),
  )
  const resolve = (name: string) => Promise.resolve(addresses(name === 'inside.example' ? '192.168.0.1' : '127.0.0.1'))
  const url = `http://outside.example:${server.port}/`
  t.deepEqual(await failing(t, url, { ports: [server.port], resolve }), { ...unavailable, detail: notPublic })
})

test('a redirect without a place to go is refused', async (t) => {
  const server = await aRemoteServer(t, (_request, response) => void response.writeHead(302).end())
  t.like(await failingAt(t, server), refused)
})

test('no more than three redirects are followed', async (t) => {
  const server = await aRemoteServer(t, redirectTo('/again'))
  t.deepEqual(await failingAt(t, server), { ...refused, detail: 'The URL leads through more than 3 redirects.' })
  t.is(server.requests.length, 1 + 3)
})

test('a redirect from https to http is not followed', async (t) => {
  const certificate = aCertificate('audio.example')
  const plain = await aRemoteServer(t, whole(wav))
  const secure = await aRemoteServer(t, redirectTo(`http://audio.example:${plain.port}/`), certificate)
  const failure = await failing(t, `https://audio.example:${secure.port}/`, {
    ports: [plain.port, secure.port],
    ca: certificate.cert,
    resolve: () => Promise.resolve(addresses('127.0.0.1')),
  })
  t.regex(sentenceOf(failure), /from https to http/)
  t.is(plain.requests.length, 0)
})

test('nothing is carried over a redirect: no cookie, no credentials, no trace of where it came from', async (t) => {
  const server = await aRemoteServer(t, [
    (_request, response) => {
      response.setHeader('set-cookie', 'session=1; Path=/')
      response.setHeader('www-authenticate', 'Basic')
      response.writeHead(302, { location: '/b' }).end()
    },
    whole(wav),
  ])
  const { remote, path } = await aFetcher(t, { ports: [server.port] })
  await remote.fetch(`${server.url}?signature=secret`, path)
  t.deepEqual(Object.keys(server.requests[1]?.headers ?? {}).sort(), [
    'accept',
    'accept-encoding',
    'connection',
    'host',
    'user-agent',
  ])
})

// what a server answers

const terminalStatuses = [204, 206, 300, 304, 400, 401, 403, 404, 405, 410, 416, 418, 451]

for (const status of terminalStatuses)
  test(`status ${status} is final`, async (t) => {
    const server = await aRemoteServer(t, (_request, response) => void response.writeHead(status).end())
    const failure = await failingAt(t, server)
    t.like(failure, refused)
    t.regex(sentenceOf(failure), new RegExp(`status ${status}`))
    t.is(server.requests.length, 1)
  })

for (const status of [408, 425, 429, 500, 502, 503, 504, 520])
  test(`status ${status} may pass`, async (t) => {
    const server = await aRemoteServer(t, (_request, response) => void response.writeHead(status).end())
    t.deepEqual(await failingAt(t, server), {
      ...unavailable,
      detail: `The server of this URL cannot answer at the moment (status ${status}).`,
    })
  })

const date = 'Mon, 01 Jan 2024 10:00:00 GMT'
const waits: readonly (readonly [said: string, seconds: number | undefined])[] = [
  ['17', 17],
  ['0', 1],
  ['99999999999999999999', 600],
  ['Mon, 01 Jan 2024 10:01:30 GMT', 90],
  ['Mon, 01 Jan 2024 09:00:00 GMT', 1],
  ['Fri, 01 Jan 2100 00:00:00 GMT', 600],
  ['soon', undefined],
  ['-5', undefined],
]

for (const [said, seconds] of waits)
  test(`a server that asks to come back after "${said}" is left alone for ${seconds ?? 'as long as we like'}`, async (t) => {
    const server = await aRemoteServer(
      t,
      (_request, response) => void response.writeHead(429, { 'retry-after': said, date }).end(),
    )
    const failure = await failingAt(t, server)
    t.like(failure, unavailable)
    t.is(failure.kind === 'retryable' ? failure.retryAfterSeconds : undefined, seconds)
  })

test('a server that nobody runs is an outage', async (t) => {
  const server = await aRemoteServer(t, whole(wav))
  await server.close()
  t.like(await failing(t, server.url, { ports: [server.port] }), unavailable)
})

test('a server that hangs up at once is an outage', async (t) => {
  const server = await aRemoteServer(t, (request) => void request.socket.destroy())
  t.like(await failingAt(t, server), unavailable)
})

const notHttp: Record<string, string> = {
  'another protocol': 'SSH-2.0-OpenSSH_9.2\r\n',
  'endless headers': `HTTP/1.1 200 OK\r\n${'x-more: and more\r\n'.repeat(4_000)}`,
  'two ways to tell the length': 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  'two lengths': 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nRIFF',
}

for (const [what, text] of Object.entries(notHttp))
  test(`a server that speaks ${what} is refused`, async (t) => {
    const { port, url } = await aSocketServer(t, (socket) => void socket.once('data', () => socket.write(text)))
    const failure = await failing(t, url, { ports: [port] })
    t.like(failure, refused)
    t.regex(sentenceOf(failure), /proper HTTP/)
  })

test('a certificate that nobody vouches for is refused', async (t) => {
  const server = await aRemoteServer(t, whole(wav), aCertificate('127.0.0.1'))
  const failure = await failingAt(t, server)
  t.like(failure, refused)
  t.regex(sentenceOf(failure), /certificate .* is not valid \(DEPTH_ZERO_SELF_SIGNED_CERT\)/)
  t.is(server.requests.length, 0)
})

test('a certificate of another name is refused', async (t) => {
  const certificate = aCertificate('other.example')
  const server = await aRemoteServer(t, whole(wav), certificate)
  const failure = await failing(t, `https://audio.example:${server.port}/`, {
    ports: [server.port],
    ca: certificate.cert,
    resolve: () => Promise.resolve(addresses('127.0.0.1')),
  })
  t.regex(sentenceOf(failure), /certificate .* is not valid \(ERR_TLS_CERT_ALTNAME_INVALID\)/)
})

test('a server that speaks no TLS where it should is refused', async (t) => {
  const server = await aRemoteServer(t, whole(wav))
  const failure = await failing(t, server.url.replace('http:', 'https:'), { ports: [server.port] })
  t.like(failure, refused)
  t.regex(sentenceOf(failure), /does not speak HTTPS/)
})

// how it sends: those that are about time run alone, so that a busy machine is not taken for a slow server

test('a file that announces more than the limit is refused before it is read', async (t) => {
  let sent = false
  const server = await aRemoteServer(t, (_request, response) => {
    response.writeHead(200, { 'content-length': wav.length })
    response.flushHeaders()
    response.once('close', () => (sent = response.writableEnded))
  })
  const failure = await failingAt(t, server, { limits: { maxBytes: wav.length - 1 } })
  t.deepEqual(failure, {
    ...refused,
    detail: `The file behind this URL is larger than the limit of ${wav.length - 1} bytes.`,
  })
  t.false(sent)
})

test('a file of exactly the limit is not too large', async (t) => {
  const server = await aRemoteServer(t, whole(wav))
  const { remote, path } = await aFetcher(t, { ports: [server.port], limits: { maxBytes: wav.length } })
  t.is((await remote.fetch(server.url, path)).sizeBytes, wav.length)
})

test('a body without an end is cut off at the limit', async (t) => {
  const maxBytes = 1024 * 1024
  let sentBytes = 0
  const server = await aRemoteServer(t, (_request, response) => {
    const send = (): void => {
      while (!response.destroyed) {
        sentBytes += wav.length
        if (!response.write(wav)) return void response.once('drain', send)
      }
    }
    send()
  })
  const seen: number[] = []
  const { remote, path } = await aFetcher(t, { ports: [server.port], limits: { maxBytes } })
  const failure = await failureOf(t, remote.fetch(server.url, path, { onBytes: (soFar) => seen.push(soFar) }))
  t.regex(sentenceOf(failure), /larger than the limit of 1048576 bytes/)
  t.true(Math.max(...seen) <= maxBytes)
  t.true(sentBytes > maxBytes)
})

test('a rest that announces more than the limit is refused as well', async (t) => {
  const server = await aRemoteServer(t, [
    (_request, response) => {
      response.writeHead(200, { etag: '"one"' })
      response.write(wav.subarray(0, 5_000), () => response.destroy())
    },
    (request, response) => {
      const range = request.headers.range?.replace('=', ' ')
      response.writeHead(206, { 'content-range': `${range}999999/1000000`, etag: '"one"' }).flushHeaders()
    },
  ])
  const failure = await failingAt(t, server, { limits: { maxBytes: 500_000 } })
  t.regex(sentenceOf(failure), /larger than the limit/)
  t.is(server.requests.length, 2)
})

test('a body that is shorter than its announced length is not taken for the whole', async (t) => {
  const server = await aRemoteServer(t, brokenAfter(wav.length - 1, wav, { etag: 'W/"weak"' }))
  t.like(await failingAt(t, server), unavailable)
})

test('what follows after the announced length belongs to nobody', async (t) => {
  const { port, url } = await aSocketServer(t, (socket) => {
    socket.once('data', () => {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${wav.length}\r\n\r\n`)
      socket.end(Buffer.concat([wav, Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil')]))
    })
  })
  const { remote, path } = await aFetcher(t, { ports: [port] })
  t.is((await remote.fetch(url, path)).sizeBytes, wav.length)
})

test.serial('a server that accepts and then says nothing is left', async (t) => {
  const server = await aRemoteServer(t, () => undefined)
  const failure = await failingAt(t, server, { limits: { patienceMs: 100 } })
  t.deepEqual(failure, { ...unavailable, detail: 'The server of this URL did not answer within 0.1 seconds.' })
})

test.serial('a server that sends its headers one byte at a time is left', async (t) => {
  const { port, url } = await aSocketServer(t, (socket) => {
    socket.write('HTTP/1.1 200 OK\r\nX-Slow: ')
    const dripping = setInterval(() => socket.write('x'), 10)
    socket.once('close', () => clearInterval(dripping))
  })
  t.like(await failing(t, url, { ports: [port], limits: { patienceMs: 200 } }), unavailable)
})

test.serial('a server that puts off its answer again and again is left', async (t) => {
  const { port, url } = await aSocketServer(t, (socket) => {
    const puttingOff = setInterval(() => socket.write('HTTP/1.1 102 Processing\r\n\r\n'), 10)
    socket.once('close', () => clearInterval(puttingOff))
  })
  t.like(await failing(t, url, { ports: [port], limits: { patienceMs: 200 } }), unavailable)
})

/** A byte now and then, for ever. */
const drip: RequestListener = (_request, response) => {
  response.writeHead(200, { 'content-type': 'audio/wav' })
  response.write(wav.subarray(0, 44))
  const dripping = setInterval(() => response.write('\0'), 10)
  response.once('close', () => clearInterval(dripping))
}

test.serial('a server that drips is left when its speed was judged', async (t) => {
  const server = await aRemoteServer(t, drip)
  const failure = await failingAt(t, server, { limits: { patienceMs: 500, minBytesPerSecond: 1024 } })
  t.deepEqual(failure, {
    ...unavailable,
    detail: 'The server of this URL sends less than 512 bytes in 0.5 seconds.',
  })
})

test.serial('a server that drips just fast enough is left when the time for all of it is over', async (t) => {
  const server = await aRemoteServer(t, drip)
  const failure = await failingAt(t, server, { limits: { totalMs: 1000, minBytesPerSecond: 1 } })
  t.deepEqual(failure, { ...unavailable, detail: 'Fetching the file behind this URL took longer than 1 seconds.' })
})

test.serial('a body that stops in the middle is continued, and left when it stops every time', async (t) => {
  const stalling: RequestListener = (request, response) => {
    if (request.headers.range === undefined) response.writeHead(200, { 'content-length': wav.length, etag: '"one"' })
    else response.writeHead(503)
    response.write(wav.subarray(0, 5_000))
  }
  const server = await aRemoteServer(t, stalling)
  const failure = await failingAt(t, server, { limits: { patienceMs: 500, maxResumes: 2 } })
  t.like(failure, unavailable)
  t.is(server.requests.length, 1 + 2)
})

test.serial('a time that is over while a transfer waits to be continued ends the wait', async (t) => {
  const server = await aRemoteServer(t, brokenAfter(5_000, wav))
  const failure = await failingAt(t, server, { limits: { totalMs: 1000, resumePauseMs: 60_000 } })
  t.regex(sentenceOf(failure), /took longer than 1 seconds/)
})

// what it sends

for (const encoding of ['gzip', 'br', 'deflate', 'GZIP', 'identity, gzip'])
  test(`a body that is packed as "${encoding}" is refused and not unpacked`, async (t) => {
    const bomb = gzipSync(Buffer.alloc(16 * 1024 * 1024))
    const server = await aRemoteServer(t, whole(bomb, { 'content-encoding': encoding }))
    const failure = await failingAt(t, server)
    t.like(failure, refused)
    t.regex(sentenceOf(failure), /Content-Encoding/)
  })

test('a body that says it is not packed is as good as one that says nothing', async (t) => {
  const server = await aRemoteServer(t, whole(wav, { 'content-encoding': 'Identity' }))
  const { remote, path } = await aFetcher(t, { ports: [server.port] })
  t.is((await remote.fetch(server.url, path)).sizeBytes, wav.length)
})

const page = `<!doctype html><title>Sign in</title>${'<p>Please sign in to listen.</p>'.repeat(1_000)}`
const notAudio: readonly (readonly [what: string, body: string | Buffer, reason: RegExp])[] = [
  ['nothing', '', /is empty/],
  ['a web page', page, /looks like an HTML page, not audio/],
  ['a short web page', '<html></html>', /looks like an HTML page, not audio/],
  ['JSON', '{"error":"expired"}', /looks like JSON, not audio/],
  ['XML', '<?xml version="1.0"?><Error><Code>NoSuchKey</Code></Error>', /looks like XML, not audio/],
  ['text', 'no such file', /looks like plain text, not audio/],
  ['a playlist', '#EXTM3U\nfile:///etc/passwd\n', /looks like a playlist \(M3U8\), not audio/],
  ['an archive', Buffer.from('PK\x03\x04\0\0\0\0\0\0', 'latin1'), /looks like a ZIP archive/],
  ['a packed body without a word', gzipSync(wav), /looks like a gzip archive, not audio/],
]

for (const type of ['text/html', 'audio/mpeg'])
  for (const [what, body, reason] of notAudio)
    test(`${what} as ${type} is refused`, async (t) => {
      const server = await aRemoteServer(t, whole(Buffer.from(body), { 'content-type': type }))
      const failure = await failingAt(t, server)
      t.like(failure, refused)
      t.regex(sentenceOf(failure), reason)
    })

test('a web page without an end is refused by its beginning', async (t) => {
  const server = await aRemoteServer(t, (_request, response) => void response.write(page))
  t.regex(sentenceOf(await failingAt(t, server)), /looks like an HTML page/)
})

// who asks

test('a caller who gives up gets his reason back, the connection is closed and nothing stays', async (t) => {
  const controller = new AbortController()
  const reason = new Error('the batch was deleted')
  const server = await aRemoteServer(t, (_request, response) => {
    response.write(wav)
  })
  const { remote, path } = await aFetcher(t, { ports: [server.port] })
  const onBytes = (): void => controller.abort(reason)
  const error = await t.throwsAsync(remote.fetch(server.url, path, { signal: controller.signal, onBytes }))
  t.is(error, reason)
  await t.throwsAsync(access(path), { code: 'ENOENT' })
  await eventually('the connection is closed', async () => (await server.connections()) === 0)
})

test('a caller who gave up before causes no request', async (t) => {
  const server = await aRemoteServer(t, whole(wav))
  const reason = new Error('too late')
  const { remote, path } = await aFetcher(t, { ports: [server.port] })
  t.is(await t.throwsAsync(remote.fetch(server.url, path, { signal: AbortSignal.abort(reason) })), reason)
  t.is(server.requests.length, 0)
})

test('a caller who gives up while nobody answers does not wait', async (t) => {
  const controller = new AbortController()
  const reason = new Error('enough')
  const server = await aRemoteServer(t, () => controller.abort(reason))
  const { remote, path } = await aFetcher(t, { ports: [server.port] })
  t.is(await t.throwsAsync(remote.fetch(server.url, path, { signal: controller.signal })), reason)
})

test('no failure repeats the URL, its host or its secrets, not even to a log', async (t) => {
  const resolve = (name: string) =>
    name === 'missing.example'
      ? Promise.reject(Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: 'ENOTFOUND' }))
      : Promise.resolve(addresses('127.0.0.1'))
  const server = await aRemoteServer(t, [
    (_request, response) => void response.writeHead(404).end(),
    redirectTo('http://secret:secret@secret.example/secret'),
    redirectTo('http://[secret'),
    whole(Buffer.from('<html>secret</html>')),
    (request) => void request.socket.destroy(),
  ])
  const { remote, path } = await aFetcher(t, { ports: [server.port], resolve, policy: { allowPrivate: [] } })
  const { remote: allowed } = await aFetcher(t, { ports: [server.port], resolve })
  const url = (host: string, scheme = 'http') => `${scheme}://${host}:${server.port}/secret?secret=secret`
  for (const fetching of [
    () => allowed.fetch(url('secret.example'), path),
    () => allowed.fetch(url('secret.example'), path),
    () => allowed.fetch(url('secret.example'), path),
    () => allowed.fetch(url('secret.example'), path),
    () => allowed.fetch(url('secret.example'), path),
    () => allowed.fetch(url('missing.example'), path),
    () => allowed.fetch(url('secret.example', 'https'), path),
    () => remote.fetch(url('secret.example'), path),
    () => remote.fetch('secret:secret@secret', path),
  ]) {
    const error = await t.throwsAsync(fetching(), { instanceOf: FailureError })
    t.notRegex(inspect(error, { depth: 10 }), /secret|missing\.example|127\.0\.0\.1/)
  }
})

import { readdir, readFile, stat } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import { inspect } from 'node:util'

import test from 'ava'
import type { ExecutionContext } from 'ava'

import { readConfig } from '../../infra/config/config.ts'
import { remoteLimits, urlPolicy } from '../../infra/config/remote-limits.ts'
import { remoteAudio } from '../../infra/remote/remote-audio.ts'
import { aCertificate } from '../support/certificate.ts'
import { inCheckout } from '../support/checkout.ts'
import { aLog } from '../support/log.ts'
import { aWav } from '../support/media.ts'
import { aFetcher, aRemoteServer, brokenAfter, hangUpAfter, redirectTo, whole } from '../support/remote.ts'
import type { FetcherOptions, RemoteServer } from '../support/remote.ts'
import { aSmallDisk, testWithSmallDisk } from '../support/small-disk.ts'
import { failureOf } from '../support/tokens.ts'

const testOnSmallDisk = await testWithSmallDisk()

const wav = Buffer.from(aWav({ seconds: 10 }))
const newer = Buffer.from(aWav({ seconds: 12, hz: 8_000 }))
const unavailable = { kind: 'retryable', code: 'remote_unavailable' } as const

/** Gives the rest that was asked for, as a good server does. */
function rest(body: Uint8Array, headers: Record<string, string> = { etag: '"one"' }): RequestListener {
  return (request, response) => {
    const start = startOf(request.headers.range)
    const range = `bytes ${start}-${body.length - 1}/${body.length}`
    response.writeHead(206, { 'content-range': range, 'content-length': body.length - start, ...headers })
    response.end(body.subarray(start))
  }
}

function startOf(range: string | undefined): number {
  return Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1])
}

async function fetched(t: ExecutionContext, server: RemoteServer, options: Partial<FetcherOptions> = {}) {
  const { remote, path } = await aFetcher(t, { ports: [server.port], ...options })
  const facts = await remote.fetch(server.url, path)
  return { ...facts, content: await readFile(path) }
}

test('the body behind a URL comes to the disk, readable by nobody else', async (t) => {
  const server = await aRemoteServer(t, whole(wav))
  const { remote, path } = await aFetcher(t, { ports: [server.port] })
  const seen: number[] = []
  const facts = await remote.fetch(`${server.url}?a=1#t=3`, path, { onBytes: (soFar) => seen.push(soFar) })
  t.deepEqual(facts, { sizeBytes: wav.length, contentType: 'audio/wav' })
  t.true(wav.equals(await readFile(path)))
  t.is((await stat(path)).mode & 0o777, 0o600)
  t.is(seen.at(-1), wav.length)
  t.deepEqual(
    seen,
    seen.toSorted((a, b) => a - b),
  )
})

test('the request says who asks and wants no packed body, and nothing else', async (t) => {
  const server = await aRemoteServer(t, whole(wav))
  const { remote, path } = await aFetcher(t, { ports: [server.port] })
  await remote.fetch(`${server.url}?a=1#t=3`, path)
  t.deepEqual(server.requests, [
    {
      path: '/call.wav?a=1',
      headers: {
        'user-agent': 'vaak',
        accept: 'audio/*, video/*;q=0.9, */*;q=0.5',
        'accept-encoding': 'identity',
        host: `127.0.0.1:${server.port}`,
        connection: 'close',
      },
    },
  ])
})

test('the settings of the environment are the ones that hold', async (t) => {
  const server = await aRemoteServer(t, whole(wav))
  const { path } = await aFetcher(t, { ports: [] })
  const open = { REMOTE_PORTS: String(server.port), REMOTE_ALLOW_PRIVATE: '127.0.0.1/32' }
  const fetchWith = (environment: Record<string, string>) => {
    const config = readConfig(environment)
    return remoteAudio({ policy: urlPolicy(config), limits: remoteLimits(config), log: aLog() }).fetch(server.url, path)
  }
  t.is((await fetchWith(open)).sizeBytes, wav.length)
  const refused = { code: 'remote_refused' } as const
  t.like(await failureOf(t, fetchWith({ ...open, REMOTE_ALLOW_PRIVATE: '' })), refused)
  t.like(await failureOf(t, fetchWith({ ...open, REMOTE_PORTS: '' })), refused)
  t.like(await failureOf(t, fetchWith({ ...open, REMOTE_HTTP: 'false' })), refused)
  t.like(await failureOf(t, fetchWith({ ...open, UPLOAD_MAX_FILE_BYTES: String(wav.length - 1) })), refused)
})

test('every kind of recording that may be uploaded may be fetched, whatever type its server gives it', async (t) => {
  const folder = inCheckout('test', 'fixtures', 'media')
  const names = (await readdir(folder)).filter((name) => name !== 'README.md')
  t.true(names.length > 10)
  for (const name of names) {
    const recording = await readFile(join(folder, name))
    const server = await aRemoteServer(t, whole(recording, { 'content-type': 'text/html' }))
    const { content } = await fetched(t, server)
    t.true(recording.equals(content), name)
  }
})

test('a body without a length is complete when its server says so', async (t) => {
  const server = await aRemoteServer(t, (_request, response) => {
    response.write(wav.subarray(0, 1_000))
    response.end(wav.subarray(1_000))
  })
  t.true(wav.equals((await fetched(t, server)).content))
})

test('what lay at the path before is gone', async (t) => {
  const short = Buffer.from(aWav({ seconds: 0.1 }))
  const server = await aRemoteServer(t, [whole(wav), whole(short)])
  const { remote, path } = await aFetcher(t, { ports: [server.port] })
  await remote.fetch(server.url, path)
  await remote.fetch(server.url, path)
  t.true(short.equals(await readFile(path)))
})

for (const status of [301, 302, 303, 307, 308])
  test(`a redirect with status ${status} is followed, relative or not`, async (t) => {
    const server = await aRemoteServer(t, [
      redirectTo('/one?two#three', status),
      (request, response) => redirectTo(`http://${request.headers.host}/four`, status)(request, response),
      redirectTo('five', status),
      whole(wav),
    ])
    t.true(wav.equals((await fetched(t, server)).content))
    t.deepEqual(
      server.requests.map(({ path }) => path),
      ['/call.wav', '/one?two', '/four', '/five'],
    )
  })

test('a transfer that broke is continued where it stopped', async (t) => {
  const server = await aRemoteServer(t, [brokenAfter(10_000, wav), rest(wav)])
  t.true(wav.equals((await fetched(t, server)).content))
  const [, second] = server.requests
  t.like(second?.headers, { range: 'bytes=10000-', 'if-range': '"one"', 'accept-encoding': 'identity' })
})

test('the type of a continued file is the one that its first answer gave', async (t) => {
  const server = await aRemoteServer(t, [brokenAfter(10_000, wav, { 'content-type': 'audio/wav' }), rest(wav)])
  t.is((await fetched(t, server)).contentType, 'audio/wav')
})

test('a transfer that breaks again and again is continued again and again', async (t) => {
  const server = await aRemoteServer(t, [
    brokenAfter(10_000, wav),
    ...[20_000, 30_000, 40_000].map((end): RequestListener => (request, response) => {
      const start = startOf(request.headers.range)
      response.writeHead(206, { 'content-range': `bytes ${start}-${wav.length - 1}/${wav.length}`, etag: '"one"' })
      hangUpAfter(response, wav.subarray(start, end))
    }),
    rest(wav),
  ])
  t.true(wav.equals((await fetched(t, server)).content))
  t.deepEqual(
    server.requests.map(({ headers }) => headers.range),
    [undefined, 'bytes=10000-', 'bytes=20000-', 'bytes=30000-', 'bytes=40000-'],
  )
})

test('a server that gives less than the rest is asked for what is still missing', async (t) => {
  const piece: RequestListener = (request, response) => {
    const start = startOf(request.headers.range)
    const end = Math.min(start + 100_000, wav.length)
    response.writeHead(206, { 'content-range': `bytes ${start}-${end - 1}/${wav.length}`, etag: '"one"' })
    response.end(wav.subarray(start, end))
  }
  const server = await aRemoteServer(t, [brokenAfter(10_000, wav), piece])
  t.true(wav.equals((await fetched(t, server)).content))
  t.is(server.requests.length, 1 + Math.ceil((wav.length - 10_000) / 100_000))
})

test('a body without a length that breaks off is noticed and continued', async (t) => {
  const server = await aRemoteServer(t, [
    (_request, response) => {
      response.writeHead(200, { etag: '"one"' })
      hangUpAfter(response, wav.subarray(0, 5_000))
    },
    rest(wav),
  ])
  t.true(wav.equals((await fetched(t, server)).content))
})

test('a transfer that broke before its first byte is begun again', async (t) => {
  const server = await aRemoteServer(t, [brokenAfter(0, wav), whole(wav)])
  t.true(wav.equals((await fetched(t, server)).content))
})

test('a transfer is continued through the redirects anew, since the address behind them may have expired', async (t) => {
  const server = await aRemoteServer(t, [redirectTo('/a'), brokenAfter(10_000, wav), redirectTo('/b'), rest(wav)])
  t.true(wav.equals((await fetched(t, server)).content))
  t.deepEqual(
    server.requests.map(({ path }) => path),
    ['/call.wav', '/a', '/call.wav', '/b'],
  )
})

test('a server that is away for a moment in between is asked again', async (t) => {
  const server = await aRemoteServer(t, [
    brokenAfter(10_000, wav),
    (_request, response) => void response.writeHead(503).end(),
    (request) => void request.socket.destroy(),
    rest(wav),
  ])
  t.true(wav.equals((await fetched(t, server)).content))
})

test('a server that says when to come back is not asked before', async (t) => {
  const server = await aRemoteServer(t, [
    brokenAfter(10_000, wav),
    (_request, response) => void response.writeHead(503, { 'retry-after': '7' }).end(),
    rest(wav),
  ])
  t.like(await failureOf(t, fetched(t, server)), { ...unavailable, retryAfterSeconds: 7 })
  t.is(server.requests.length, 2)
})

test('a transfer that never stops breaking is given up after the last continuation', async (t) => {
  const server = await aRemoteServer(t, [brokenAfter(10_000, wav), (request) => void request.socket.destroy()])
  t.like(await failureOf(t, fetched(t, server, { limits: { maxResumes: 3 } })), unavailable)
  t.is(server.requests.length, 1 + 3)
})

const changedAnswers: Record<string, RequestListener> = {
  'all of the new one': whole(newer, { etag: '"two"' }),
  'the rest of the new one': rest(newer, { etag: '"two"' }),
  'a rest of another length': rest(newer),
  'a rest from somewhere else': (_request, response) => {
    response.writeHead(206, { 'content-range': `bytes 9-${wav.length - 1}/${wav.length}`, etag: '"one"' })
    response.end(wav.subarray(9))
  },
  'a rest of unknown place': (_request, response) => void response.writeHead(206, { etag: '"one"' }).end(wav),
  'a rest of unknown total': (_request, response) => {
    response.writeHead(206, { 'content-range': `bytes 10000-10999/*`, etag: '"one"' })
    response.end(wav.subarray(10_000, 11_000))
  },
  'that there is no rest': (_request, response) => {
    response.writeHead(416, { 'content-range': `bytes */${newer.length}` }).end()
  },
}

for (const [what, answer] of Object.entries(changedAnswers))
  test(`an object that changed is begun anew: the server gives ${what}`, async (t) => {
    const server = await aRemoteServer(t, [brokenAfter(10_000, wav), answer, whole(newer, { etag: '"two"' })])
    const { content, sizeBytes } = await fetched(t, server)
    t.true(newer.equals(content))
    t.is(sizeBytes, newer.length)
    t.is(server.requests.at(-1)?.headers.range, server.requests.length === 3 ? undefined : 'bytes=10000-')
  })

test('the rest of another object of the same length is not taken for ours', async (t) => {
  const twin = Buffer.concat([wav.subarray(0, 44), Buffer.alloc(wav.length - 44, 1)])
  const server = await aRemoteServer(t, [brokenAfter(10_000, wav), rest(twin, { etag: '"two"' }), whole(twin)])
  t.true(twin.equals((await fetched(t, server)).content))
})

test('nothing of the old object stays behind a new one that is shorter', async (t) => {
  const tiny = Buffer.from(aWav({ seconds: 0.1 }))
  const server = await aRemoteServer(t, [brokenAfter(10_000, wav), whole(tiny, { etag: '"two"' })])
  t.true(tiny.equals((await fetched(t, server)).content))
})

test('an object that changes for ever is given up', async (t) => {
  const changing: RequestListener = (request, response) =>
    request.headers.range === undefined
      ? brokenAfter(10_000, wav)(request, response)
      : rest(newer, { etag: '"two"' })(request, response)
  const server = await aRemoteServer(t, changing)
  t.like(await failureOf(t, fetched(t, server, { limits: { maxResumes: 4 } })), unavailable)
  t.true(server.requests.length <= 2 + 4)
})

test('a date is good enough to continue by when the object had been left alone before', async (t) => {
  const dates = { 'last-modified': 'Mon, 01 Jan 2024 10:00:00 GMT', date: 'Mon, 01 Jan 2024 10:00:01 GMT' }
  const server = await aRemoteServer(t, [
    (_request, response) => {
      response.writeHead(200, { 'content-length': wav.length, ...dates })
      hangUpAfter(response, wav.subarray(0, 10_000))
    },
    rest(wav, {}),
  ])
  t.true(wav.equals((await fetched(t, server)).content))
  t.is(server.requests[1]?.headers['if-range'], dates['last-modified'])
})

const weak: Record<string, Record<string, string>> = {
  'a weak ETag': { etag: 'W/"one"', 'last-modified': 'Mon, 01 Jan 2024 10:00:00 GMT' },
  'an ETag that is none': { etag: 'one' },
  'a date of this very second': {
    'last-modified': 'Mon, 01 Jan 2024 10:00:00 GMT',
    date: 'Mon, 01 Jan 2024 10:00:00 GMT',
  },
  'nothing to go by': {},
}

for (const [what, headers] of Object.entries(weak))
  test(`a transfer that broke is not continued with ${what}`, async (t) => {
    const server = await aRemoteServer(t, (_request, response) => {
      response.writeHead(200, { 'content-length': wav.length, ...headers })
      hangUpAfter(response, wav.subarray(0, 10_000))
    })
    t.like(await failureOf(t, fetched(t, server)), unavailable)
    t.is(server.requests.length, 1)
  })

test('https is fetched by name: certificate and Host are those of the name, the address is the checked one', async (t) => {
  const certificate = aCertificate('audio.example')
  const server = await aRemoteServer(t, whole(wav), certificate)
  const names: string[] = []
  const { remote, path } = await aFetcher(t, {
    ports: [server.port],
    ca: certificate.cert,
    resolve: (name) => {
      names.push(name)
      return Promise.resolve([{ address: '127.0.0.1', family: 4 }])
    },
  })
  await remote.fetch(`https://audio.example:${server.port}/call.wav`, path)
  t.true(wav.equals(await readFile(path)))
  t.is(server.requests[0]?.headers.host, `audio.example:${server.port}`)
  t.deepEqual(names, ['audio.example'])
})

test('a name with a dead address is reached by its other one', async (t) => {
  const server = await aRemoteServer(t, whole(wav))
  const { remote, path } = await aFetcher(t, {
    ports: [server.port],
    resolve: () => Promise.resolve(['127.0.0.9', '127.0.0.1'].map((address) => ({ address, family: 4 }))),
  })
  await remote.fetch(`http://audio.example:${server.port}/call.wav`, path)
  t.true(wav.equals(await readFile(path)))
})

test('names are resolved as this machine resolves them', async (t) => {
  const server = await aRemoteServer(t, whole(wav))
  const { remote, path } = await aFetcher(t, {
    ports: [server.port],
    policy: urlPolicy(
      readConfig({
        REMOTE_PORTS: String(server.port),
        REMOTE_ALLOW_PRIVATE: '127.0.0.0/8,::1',
      }),
    ),
  })
  await remote.fetch(`http://localhost:${server.port}/call.wav`, path)
  t.true(wav.equals(await readFile(path)))
})

test('what happens is logged, with the URL only where it may be', async (t) => {
  const log = aLog()
  const server = await aRemoteServer(t, [brokenAfter(10_000, wav), rest(newer, { etag: '"two"' }), whole(newer)])
  const { remote, path } = await aFetcher(t, { ports: [server.port], log })
  const url = `${server.url}?signature=secret`
  await remote.fetch(url, path)
  t.deepEqual(
    log.lines.map(({ message }) => message),
    ['remote audio broke off', 'remote audio changed while it was fetched'],
  )
  for (const { facts } of log.lines)
    for (const [key, value] of Object.entries(facts))
      t.is(key.startsWith('pii.'), /secret|call\.wav|127\.0\.0\.1/.test(inspect(value)), key)
})

testOnSmallDisk('a disk that is full is no fault of the URL', async (t) => {
  const disk = await aSmallDisk(t, 64 * 1024)
  const server = await aRemoteServer(t, whole(wav))
  const { remote } = await aFetcher(t, { ports: [server.port] })
  t.like(await failureOf(t, remote.fetch(server.url, join(disk, 'call'))), { kind: 'away', code: 'disk_full' })
  t.deepEqual(await readdir(disk), [])
})

import test from 'ava'
import type { ExecutionContext } from 'ava'

import type { Uploads } from '../../actors/services.ts'
import { createApp } from '../../gateway/app.ts'
import { withDocs } from '../../gateway/docs/routes.ts'
import { deleteFilesRoute } from '../../gateway/files/remove.ts'
import { healthRoutes } from '../../gateway/health.ts'
import { serveGateway, serverLimits } from '../../gateway/server.ts'
import { principalOf } from '../../infra/identity/principal.ts'
import { freePort } from '../../infra/process/free-port.ts'
import { sandboxState } from '../../infra/process/sandbox.ts'
import { uploadForm } from '../support/api.ts'
import { aBatchId, aFileId, anUploadId } from '../support/builders.ts'
import { eventually } from '../support/eventually.ts'
import { aGateway } from '../support/gateway.ts'
import { aLog } from '../support/log.ts'
import { aWav } from '../support/media.ts'
import { head, rawConnection, rawExchange } from '../support/raw-http.ts'
import { sharedService } from '../support/service.ts'

const service = sharedService(test)

const securityHeaders = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
}

/** Nothing of our inside: no stack, no path, no subject, no module. */
const inside = /\bat \w|node_modules|node:|\.[jt]s\b|\/(?:tmp|home|opt|var|usr)\/|\$KV|\$JS|_INBOX|vaak_|nats|koa/i

function isSecure(t: ExecutionContext, headers: Headers): void {
  for (const [name, value] of Object.entries(securityHeaders)) t.is(headers.get(name), value, name)
  t.regex(headers.get('content-security-policy') ?? '', /default-src 'none'/)
}

for (const [what, ...lines] of [
  ['a length and a transfer encoding', 'Content-Length: 5', 'Transfer-Encoding: chunked'],
  ['two different lengths', 'Content-Length: 5', 'Content-Length: 6'],
  ['the same length twice', 'Content-Length: 5', 'Content-Length: 5'],
  ['a list of lengths', 'Content-Length: 5, 5'],
  ['a negative length', 'Content-Length: -5'],
  ['a length with a sign', 'Content-Length: +5'],
  ['a length in hexadecimal', 'Content-Length: 0x5'],
  ['a transfer encoding that is chunked twice', 'Transfer-Encoding: chunked, chunked'],
  ['a transfer encoding that does not end in chunked', 'Transfer-Encoding: chunked, identity'],
  ['a folded header', 'X-Folded: one', ' two'],
  ['a space before the colon', 'Content-Length : 5'],
  ['a header without a colon', 'Nonsense'],
  ['a NUL in a header', 'X-Nul: a\0b'],
  ['a bare carriage return in a header', 'X-Bare: a\rb'],
] as const)
  test(`a request with ${what} is 400, in our words, and the socket is closed`, async (t) => {
    const connection = await rawConnection(t, service.url)
    await connection.send(head('DELETE /files HTTP/1.1', 'Host: vaak', ...lines), 'hello')
    const { status, headers, body } = await connection.answer()
    t.is(status, 400)
    t.is(headers.get('connection'), 'close')
    t.deepEqual(JSON.parse(body), { detail: 'This is not a valid HTTP/1.1 request.' })
    isSecure(t, headers)
    await connection.closed
  })

for (const chunk of ['zz\r\nhello\r\n', '-5\r\nhello\r\n', 'fffffffffffffffffff\r\nhello\r\n', '5\r\nhelloX\r\n'])
  test(`a chunk such as ${JSON.stringify(chunk)} is refused and the socket is closed`, async (t) => {
    const { token } = await service.user(t)
    const connection = await rawConnection(t, service.url)
    await connection.send(
      head(
        'DELETE /files HTTP/1.1',
        'Host: vaak',
        `Authorization: Bearer ${token}`,
        'Content-Type: application/json',
        'Transfer-Encoding: chunked',
      ),
      chunk,
    )
    t.regex(await connection.closed, /^HTTP\/1\.1 400 /)
  })

test('what is not HTTP at all is answered and closed', async (t) => {
  const connection = await rawConnection(t, service.url)
  await connection.send('\u0016\u0003\u0001 hello, is this TLS?\r\n\r\n')
  t.regex(await connection.closed, /^HTTP\/1\.1 400 /)
})

test('1 MB of headers is 431, and the socket is closed', async (t) => {
  const connection = await rawConnection(t, service.url)
  await connection.send(head('GET /healthz HTTP/1.1', 'Host: vaak', `X-Long: ${'x'.repeat(1_000_000)}`))
  t.regex(await connection.closed, /^(?:HTTP\/1\.1 431 .*|)$/s)
  t.is((await fetch(`${service.url}/healthz`)).status, 200)
})

test('headers just over the limit are told so', async (t) => {
  const { status, headers, body } = await rawExchange(
    t,
    service.url,
    head('GET /healthz HTTP/1.1', 'Host: vaak', `X-Long: ${'x'.repeat(serverLimits.headerBytes)}`),
  )
  t.is(status, 431)
  t.regex(JSON.parse(body).detail, /larger than the limit/)
  isSecure(t, headers)
})

const impatient = { ...serverLimits, headersMs: 700, checkEveryMs: 50 }

interface SmallServer {
  readonly url: string
}

/** Whose deletions fail. With other limits for what would take the real one ten seconds. */
async function smallServer(
  t: ExecutionContext,
  limits = serverLimits,
  appLimits: Parameters<typeof createApp>[1] = {},
): Promise<SmallServer> {
  const uploads: Uploads = {
    accept: () => Promise.reject(new Error('unused')),
    abandon: () => Promise.reject(new Error('unused')),
    withdraw: () => Promise.reject(new Error('unused')),
    purge: () => Promise.reject(new Error('the secret is in /var/lib/vaak')),
    purgeBatch: () => Promise.reject(new Error('unused')),
    purgeLater: () => Promise.reject(new Error('unused')),
  }
  const app = createApp(
    {
      routes: withDocs([deleteFilesRoute({ uploads }), ...healthRoutes(() => Promise.reject(new Error('unused')))]),
      authenticate: () => Promise.resolve({ principal: principalOf('issuer', 'asha') }),
      observe: () => undefined,
      log: aLog(),
    },
    { lingerMs: 200, ...appLimits },
  )
  const server = await serveGateway(app, { host: '127.0.0.1', port: 0 }, limits)
  t.teardown(() => server.close(0))
  return { url: `http://127.0.0.1:${server.port}` }
}

test('clients that send their headers a byte at a time are cut off, and others are served meanwhile', async (t) => {
  const { url } = await smallServer(t, impatient)
  const slow = await Promise.all(Array.from({ length: 50 }, () => rawConnection(t, url)))
  const drips = slow.map((connection) => {
    void connection.send('GET /healthz HTTP/1.1\r\nHost: vaak\r\nX-Slow: ')
    const drip = setInterval(() => connection.socket.write('x'), 20)
    t.teardown(() => clearInterval(drip))
    return connection.closed
  })
  const served = await eventually('others are served', async () => (await fetch(`${url}/healthz`)).ok)
  t.true(served)
  for (const text of await Promise.all(drips)) t.regex(text, /^HTTP\/1\.1 408 .*did not arrive in time/s)
})

test('a client that connects and says nothing is cut off', async (t) => {
  const { url } = await smallServer(t, impatient)
  const connection = await rawConnection(t, url)
  t.regex(await connection.closed, /^(?:HTTP\/1\.1 408 .*|)$/s)
})

test('a client that is refused and never ends its body is cut off', async (t) => {
  const { url } = await smallServer(t)
  const connection = await rawConnection(t, url)
  await connection.send(
    head('DELETE /files HTTP/1.1', 'Host: vaak', 'Content-Type: text/plain', 'Content-Length: 1000000'),
  )
  t.is((await connection.answer()).status, 415)
  const drip = setInterval(() => connection.socket.write('x'), 20)
  t.teardown(() => clearInterval(drip))
  await connection.closed
  t.pass()
})

test('what is sent when the time of its body is over takes no room from the next', async (t) => {
  const bodies = { perUserBytes: 1_000, allBytes: 1_000, withinMs: 200 }
  const { url } = await smallServer(t, serverLimits, { bodies })
  const late = await rawConnection(t, url)
  await late.send(head('DELETE /files HTTP/1.1', 'Host: vaak', 'Content-Type: application/json', 'Content-Length: 900'))
  t.is((await late.answer()).status, 408)
  await late.send(' '.repeat(890))
  await late.closed
  const next = {
    method: 'DELETE',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ file_ids: [aFileId()] }).padEnd(500),
  }
  // what came before the answer was written is given back when the connection is closed here, too
  await eventually('there is room', async () => (await fetch(`${url}/files`, next)).status !== 429)
  t.pass()
})

test('a fault of ours says nothing of our inside, and names the request', async (t) => {
  const { url } = await smallServer(t)
  const response = await fetch(`${url}/files`, {
    method: 'DELETE',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ file_ids: [aFileId()] }),
  })
  const text = await response.text()
  t.is(response.status, 500)
  t.notRegex(text, inside)
  t.notRegex(text, /secret/)
  t.true(text.includes(response.headers.get('x-request-id') ?? 'missing'))
  isSecure(t, response.headers)
})

test('addresses that are given by the client appear in no answer', async (t) => {
  const { token } = await service.user(t)
  const form = new Response(uploadForm({ name: 'a.wav', content: aWav({ seconds: 0.05 }) }))
  const body = Buffer.from(await form.arrayBuffer())
  const {
    status,
    headers,
    body: text,
  } = await rawExchange(
    t,
    service.url,
    head(
      'POST /files/upload HTTP/1.1',
      'Host: a@evil.example',
      'X-Forwarded-Host: evil.example',
      'X-Forwarded-Proto: gopher',
      `X-Forwarded-For: ${'1.2.3.4, evil.example,'.repeat(200)}`,
      'Forwarded: host=evil.example',
      `Authorization: Bearer ${token}`,
      `Content-Type: ${form.headers.get('content-type')}`,
      `Content-Length: ${body.length}`,
    ),
    body,
  )
  t.is(status, 202)
  t.notRegex(JSON.stringify([...headers]) + text, /evil|gopher|1\.2\.3\.4/)
  t.regex(headers.get('location') ?? '', /^\/files\/upload\/[0-9a-f-]{36}$/)
})

for (const path of ['/docs', '/docs/postman.json'])
  test(`${path} names the address that was asked, where it is one, and otherwise ours`, async (t) => {
    const shown = async (...headers: string[]): Promise<string> =>
      (await rawExchange(t, service.url, head(`GET ${path} HTTP/1.1`, ...headers, 'Connection: close'))).body
    t.true((await shown('Host: vaak.example:8700')).includes('http://vaak.example:8700'))
    t.true((await shown('Host: vaak.example', 'X-Forwarded-Proto: https')).includes('https://vaak.example'))
    for (const host of ['a@evil.example', '"><script>evil</script>', '$(evil)', 'evil.example/path']) {
      const text = await shown(`Host: ${host}`, 'X-Forwarded-Host: evil.example', 'Forwarded: host=evil.example')
      t.notRegex(text, /evil/, host)
      t.true(text.includes(service.url), host)
    }
  })

test('security headers are on every answer, errors included', async (t) => {
  const { api } = await service.user(t)
  const answers = [
    await api.get('/files'),
    await api.get('/files?page=0'),
    await api.as(undefined).get('/files'),
    await api.get(`/files/upload/${anUploadId()}`),
    await api.get(`/transcribe/download/batch/${aBatchId()}`),
    await api.get('/nowhere'),
    await api.post('/files'),
    await api.get('/docs'),
    await api.get('/openapi.json'),
    await api.get('/healthz'),
  ]
  t.deepEqual(
    answers.map(({ status }) => status),
    [200, 400, 401, 404, 404, 404, 405, 200, 200, 200],
  )
  for (const { headers } of answers) isSecure(t, headers)
})

test('thousands of query parameters are refused in a short answer, or ignored where none is known', async (t) => {
  const { api } = await service.user(t)
  const { status, body } = await api.get(`/files?${'page&'.repeat(2_000)}`)
  t.is(status, 400)
  t.true(body.detail.length < 2_000)
  const names = Array.from({ length: 2_000 }, (_, n) => `x${n}`).join('&')
  const ignored = await api.get(`/files?${names}`)
  t.deepEqual(ignored.body, (await api.get('/files')).body)
})

test('a wrong method is 405 and names the right ones', async (t) => {
  const { api } = await service.user(t)
  const { status, headers, body } = await api.post('/files')
  t.is(status, 405)
  t.is(headers.get('allow'), 'GET, DELETE')
  t.deepEqual(body, { detail: 'This address answers to GET and DELETE only.' })
})

test('an unknown address is 404 and says where the others are listed', async (t) => {
  const { api } = await service.user(t)
  for (const path of ['/files/upload/a/b', '/../../etc/passwd', '/%2e%2e/x', '/files%00', '/%'])
    t.deepEqual((await api.get(path)).body, { detail: 'There is nothing at this address; /docs lists what there is.' })
})

test('no origin is reflected, with or without credentials', async (t) => {
  const { api } = await service.user(t)
  const answer = await api.get('/files', { headers: { Origin: 'https://evil.example' } })
  const preflight = await fetch(`${service.url}/files`, {
    method: 'OPTIONS',
    headers: { Origin: 'https://evil.example', 'Access-Control-Request-Method': 'DELETE' },
  })
  t.is(preflight.status, 405)
  for (const headers of [answer.headers, preflight.headers])
    t.deepEqual(
      [...headers.keys()].filter((name) => name.startsWith('access-control')),
      [],
    )
})

test('metrics are on a port of their own and not on the public one', async (t) => {
  const metricsPort = await freePort()
  const gateway = await aGateway(t, service.nats, { environment: { METRICS_PORT: String(metricsPort) } })
  t.is((await gateway.api.get('/metrics')).status, 404)
  const metrics = await fetch(`http://127.0.0.1:${metricsPort}/metrics`)
  t.is(metrics.status, 200)
  t.regex(await metrics.text(), /vaak_http_requests_total/)
  t.is((await fetch(`http://127.0.0.1:${metricsPort}/files`)).status, 404)
})

test('health says whether dependencies can be used and nothing else of them', async (t) => {
  const { api } = await service.user(t)
  t.deepEqual((await api.as(undefined).get('/healthz')).body, { status: 'ok' })
  const body = await eventually('it is ready', async () => {
    const answer = await api.as(undefined).get('/readyz')
    return answer.status === 200 ? answer.body : undefined
  })
  t.deepEqual(body, { status: 'ready', dependencies: { broker: 'ok', storage: 'ok', sandbox: sandboxState() } })
})

const json = test.macro(async (t, body: string | Uint8Array, detail: RegExp) => {
  const { api } = await service.user(t)
  const answer = await api.delete('/files', { body, headers: { 'Content-Type': 'application/json' } })
  t.is(answer.status, 400)
  t.regex(answer.body.detail, detail)
  t.notRegex(JSON.stringify(answer.body), inside)
  t.true(JSON.stringify(answer.body).length < 2_000, 'the answer is short whatever was sent')
})

const id = aFileId()
test('JSON 10,000 levels deep is refused', json, '['.repeat(10_000) + ']'.repeat(10_000), /body: /)
test(
  'JSON 10,000 levels deep within a field is refused',
  json,
  `{"file_ids":${'['.repeat(10_000)}${']'.repeat(10_000)}}`,
  /nested deeper than 1000 levels/,
)
test('JSON that is not closed 10,000 times is refused', json, '{"a":'.repeat(10_000), /nested deeper/)
test(
  '100,000 unknown fields are refused in a short answer',
  json,
  `{${Array.from({ length: 100_000 }, (_, n) => `"${n}":1`).join()}}`,
  /has an object with more than 1000 fields/,
)
test('a field named __proto__ is refused', json, `{"file_ids":["${id}"],"__proto__":{"admin":true}}`, /__proto__/)
test(
  'a field named constructor does not stand for one that is needed',
  json,
  '{"constructor":{"file_ids":[]}}',
  /file_ids/,
)
test('a field that is a lone surrogate is refused', json, '{"\\ud800":1}', /file_ids|Unrecognized/)
test('bytes that are no UTF-8 are refused', json, Buffer.from([0x22, 0xff, 0xfe, 0x22]), /not valid UTF-8/)
test('half a surrogate pair in bytes is refused', json, Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]), /not valid UTF-8/)
test('a number too large for any machine is refused', json, `{"file_ids":[1e999]}`, /file_ids\.0/)

test('an id that is a lone surrogate is not found', async (t) => {
  const { api } = await service.user(t)
  const body = '{"file_ids":["\\ud800"],"constructor":{"prototype":{"admin":true}}}'
  const answer = await api.delete('/files', { body, headers: { 'Content-Type': 'application/json' } })
  t.is(answer.status, 404)
  t.deepEqual(answer.body.detail.file_ids, ['\ud800'])
})

test('of a field that is named twice the last counts, as JSON has it in JavaScript', async (t) => {
  const { api } = await service.user(t)
  const [first, last] = [aFileId(), aFileId()]
  const { status, body } = await api.delete('/files', {
    body: `{"file_ids":["${first}"],"file_ids":["${last}"]}`,
    headers: { 'Content-Type': 'application/json' },
  })
  t.is(status, 404)
  t.deepEqual(body.detail.file_ids, [last])
  t.is(Object.getPrototypeOf({}), Object.prototype)
})

test('whatever a user is called, and whatever they send, subjects are made of ids and hashes only', async (t) => {
  const gateway = await aGateway(t, service.nats)
  const tap = await service.nats.connect('tap')
  const subjects = new Set<string>()
  tap.subscribe('>', { callback: (_, message) => void subjects.add(message.subject) })
  await tap.flush()
  for (const user of ['*', '>', 'a.b', '$JS.API.>', '$KV.vaak_files.>', 'space user', 'आशा', '🎤', 'x'.repeat(128)]) {
    const api = await gateway.apiOf(user)
    const { body } = await api.post('/files/upload', {
      body: uploadForm({ name: `${user}.wav`, content: aWav({ seconds: 0.05 }) }),
      headers: { 'Idempotency-Key': '$JS.API.STREAM.DELETE.>' },
    })
    await api.get(`/files/upload/${encodeURIComponent(user)}`)
    await api.delete('/files', { json: { file_ids: [body.files[0].file_id] } })
  }
  await eventually('the tap has seen the deletions', () =>
    [...subjects].some((one) => one.startsWith('$KV.vaak_purges.')),
  )
  await tap.flush()
  const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
  const expected = [
    new RegExp(`^\\$KV\\.vaak_(?:files|uploads|purges|leases|health|batches|members|runs|notices)\\.${uuid}$`),
    new RegExp(`^\\$KV\\.vaak_in_hand\\.${uuid}\\.${uuid}$`),
    /^\$KV\.vaak_listing\.[\w-]{22}\.(?:head|p0)$/,
    /^\$KV\.vaak_claims\.[\w-]{43}$/,
    /^\$KV\.vaak_contents\.[\w-]{22}\.[0-9a-f]{64}$/,
    /^\$JS\.API\.(?:INFO|STREAM\.INFO\.(?:dead_letters|(?:asr_file|asr_job|file_retry|job_retry|notice|inquiry)_queue)|STREAM\.(?:INFO|MSG\.GET|PURGE)\.KV_vaak_\w+|CONSUMER\.(?:CREATE|INFO|DELETE|MSG\.NEXT)\.KV_vaak_\w+(?:\.[\w$.>-]+)?)$/,
    new RegExp(
      `^\\$JS\\.API\\.DIRECT\\.GET\\.KV_vaak_\\w+(?:\\.\\$KV\\.vaak_\\w+\\.(?:${uuid}|[\\w-]{22}\\.(?:head|p0|[0-9a-f]{64})))?$`,
    ),
    /^\$JS\.(?:ACK|EVENT\.ADVISORY|FC)\./,
    /^_INBOX\.[\w.*-]+$/,
    /^vaak\.audit\.[\w-]{22}$/,
  ]
  const foreign = [...subjects].filter((subject) => !expected.some((pattern) => pattern.test(subject)))
  t.deepEqual(foreign, [])
  t.true(subjects.size > 50, 'the tap saw the traffic')
})

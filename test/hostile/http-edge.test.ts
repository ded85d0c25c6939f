import test from 'ava'
import type { ExecutionContext } from 'ava'

import { serverLimits } from '../../gateway/server.ts'
import { uploadForm } from '../support/api.ts'
import { aWav } from '../support/media.ts'
import { head, rawConnection, rawExchange } from '../support/raw-http.ts'
import type { RawAnswer } from '../support/raw-http.ts'
import { sharedService } from '../support/service.ts'

/** What node answers by itself unless it is told otherwise: every answer is to be in our words and with our headers. */

const service = sharedService(test)

function isOurs(t: ExecutionContext, { headers, body }: RawAnswer, detail: RegExp): void {
  t.is(headers.get('x-content-type-options'), 'nosniff')
  t.is(headers.get('cache-control'), 'no-store')
  t.is(headers.get('content-type'), 'application/json; charset=utf-8')
  t.regex(JSON.parse(body).detail, detail)
}

test('a request without a host is refused in our words, and the connection ends', async (t) => {
  const connection = await rawConnection(t, service.url)
  await connection.send(head('GET /healthz HTTP/1.1'))
  const answer = await connection.answer()
  t.is(answer.status, 400)
  isOurs(t, answer, /no Host header/)
  await connection.closed
})

test('a request without a host waits for its turn behind the one before it', async (t) => {
  const { token } = await service.user(t)
  const connection = await rawConnection(t, service.url)
  await connection.send(
    head('GET /files HTTP/1.1', 'Host: vaak', `Authorization: Bearer ${token}`) + head('GET /healthz HTTP/1.1'),
  )
  t.is((await connection.answer()).status, 200)
  t.is((await connection.answer()).status, 400)
})

test('HTTP/1.0 has no need of a host', async (t) => {
  t.is((await rawExchange(t, service.url, head('GET /healthz HTTP/1.0'))).status, 200)
})

const many = (count: number): string[] => Array.from({ length: count }, (_, index) => `X-${index}: x`)

test('more headers than the limit are refused, and none of them is passed over', async (t) => {
  const { token, api } = await service.user(t)
  const form = new Response(uploadForm({ name: 'a.wav', content: aWav({ seconds: 0.05 }) }))
  const body = Buffer.from(await form.arrayBuffer())
  const answer = await rawExchange(
    t,
    service.url,
    head(
      'POST /files/upload HTTP/1.1',
      'Host: vaak',
      `Authorization: Bearer ${token}`,
      `Content-Type: ${form.headers.get('content-type')}`,
      `Content-Length: ${body.length}`,
      ...many(serverLimits.headerCount),
      'Idempotency-Key: the-last-one',
    ),
    body,
  )
  t.is(answer.status, 431)
  isOurs(t, answer, /more headers than the limit/)
  t.is((await api.get('/files')).body.total_files, 0)
})

test('as many headers as the limit are read to the last', async (t) => {
  const { token } = await service.user(t)
  const lines = ['Host: vaak', ...many(serverLimits.headerCount - 2), `Authorization: Bearer ${token}`]
  t.is((await rawExchange(t, service.url, head('GET /files HTTP/1.1', ...lines))).status, 200)
})

test('an expectation that nobody knows is passed over', async (t) => {
  const answer = await rawExchange(t, service.url, head('GET /healthz HTTP/1.1', 'Host: vaak', 'Expect: miracles'))
  t.is(answer.status, 200)
})

test('only who asks is told to go on with the body', async (t) => {
  const { token } = await service.user(t)
  const said = async (expectation: string): Promise<string> => {
    const connection = await rawConnection(t, service.url)
    const lines = [
      'Host: vaak',
      `Authorization: Bearer ${token}`,
      'Content-Type: application/json',
      'Connection: close',
    ]
    await connection.send(head('DELETE /files HTTP/1.1', ...lines, `Expect: ${expectation}`, 'Content-Length: 2'), '{}')
    return connection.closed
  }
  t.regex(await said('100-continue'), /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 400 /)
  t.regex(await said('100-Continue'), /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 400 /)
  t.regex(await said('miracles'), /^HTTP\/1\.1 400 /)
})

test('an address is known by its exact letters only', async (t) => {
  const { api } = await service.user(t)
  for (const path of ['/HEALTHZ', '/Files', '/files/', '/healthz/', '//files', '/files;v=1', '/files%2F'])
    t.is((await api.get(path)).status, 404, path)
})

test('addresses that take no parameters say so in a documented way', async (t) => {
  const { api } = await service.user(t)
  for (const path of ['/healthz', '/readyz', '/openapi.json', '/docs']) {
    const { status, body } = await api.get(`${path}?__proto__=1`)
    t.is(status, 400, path)
    t.regex(body.detail, /^query: /)
  }
})

import { Readable } from 'node:stream'

import test from 'ava'
import type { ExecutionContext } from 'ava'
import { z } from 'zod'

import type { Caller } from '../../actors/identity.ts'
import { createApp } from '../../gateway/app.ts'
import { principalOf } from '../../infra/identity/principal.ts'
import { route } from '../../gateway/route.ts'
import { serveGateway } from '../../gateway/server.ts'
import { eventually } from '../support/eventually.ts'
import { aLog } from '../support/log.ts'
import { head, rawConnection } from '../support/raw-http.ts'

/** Answers that are streamed, and clients that do not read them. */

interface Streaming {
  readonly url: string
  readonly log: ReturnType<typeof aLog>
  readonly isEnded: () => boolean
}

async function streaming(t: ExecutionContext, parts: () => AsyncGenerator<string>): Promise<Streaming> {
  let isEnded = false
  async function* watched(): AsyncGenerator<string> {
    try {
      yield* parts()
    } finally {
      isEnded = true
    }
  }
  const streamed = route({
    method: 'get',
    path: '/stream',
    id: 'stream',
    summary: 'A stream',
    description: 'For this test.',
    access: 'public',
    params: z.strictObject({}),
    query: z.strictObject({}),
    responses: { 200: { description: 'It flows.', schema: z.string(), contentType: 'text/plain' } },
    handle: () => Promise.resolve({ status: 200, body: Readable.from(watched(), { objectMode: false }) }),
  })
  const log = aLog()
  const authenticate = (): Promise<Caller> => Promise.resolve({ principal: principalOf('issuer', 'asha') })
  const app = createApp({ routes: [streamed], authenticate, observe: () => undefined, log }, { stallMs: 200 })
  const server = await serveGateway(app, { host: '127.0.0.1', port: 0 })
  t.teardown(() => server.close(0))
  return { url: `http://127.0.0.1:${server.port}`, log, isEnded: () => isEnded }
}

async function* endless(): AsyncGenerator<string> {
  for (;;) yield await Promise.resolve('x'.repeat(64 * 1024))
}

test('a client that asks and reads nothing is cut off, and what was made for it ends', async (t) => {
  const { url, isEnded, log } = await streaming(t, endless)
  const connection = await rawConnection(t, url)
  connection.socket.pause()
  await connection.send(head('GET /stream HTTP/1.1', 'Host: vaak'))
  t.true(await eventually('it ends', isEnded))
  t.deepEqual(log.lines, [], 'it is no fault of ours')
})

test('what was made for a client that goes away ends', async (t) => {
  const { url, isEnded, log } = await streaming(t, endless)
  const connection = await rawConnection(t, url)
  await connection.send(head('GET /stream HTTP/1.1', 'Host: vaak'))
  await eventually('it flows', () => connection.received().length > 100_000)
  connection.socket.destroy()
  t.true(await eventually('it ends', isEnded))
  t.deepEqual(log.lines, [])
})

test('a stream that fails breaks the connection without its proper end, and is told to the log', async (t) => {
  const { url, log } = await streaming(t, async function* () {
    yield await Promise.resolve('the beginning')
    await new Promise(setImmediate)
    throw new Error('the secret is in /var/lib/vaak')
  })
  const connection = await rawConnection(t, url)
  await connection.send(head('GET /stream HTTP/1.1', 'Host: vaak'))
  const received = await connection.closed
  t.regex(received, /^HTTP\/1\.1 200 .*the beginning/s)
  t.notRegex(received, /\r\n0\r\n/)
  t.notRegex(received, /secret/)
  t.like(log.lines[0], { level: 'error', message: 'answer broken off' })
})

test('HEAD of a stream has no body, and nothing is left running', async (t) => {
  const { url } = await streaming(t, endless)
  const response = await fetch(`${url}/stream`, { method: 'HEAD' })
  t.is(response.status, 200)
  t.is(await response.text(), '')
})

import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'

import test from 'ava'
import type { ExecutionContext } from 'ava'
import type { NatsConnection } from 'nats'

import { FailureError } from '../../actors/failure.ts'
import type { Log } from '../../actors/ports.ts'
import { connectNats } from '../../infra/nats/connection/connect.ts'
import type { ConnectNatsOptions } from '../../infra/nats/connection/connect.ts'
import { eventually } from '../support/eventually.ts'
import { aNatsServer } from '../support/nats.ts'
import type { TestNats } from '../support/nats.ts'
import { silentLog } from '../support/silent-log.ts'

test('a lost and regained connection is told in the log, and the telling ends with it', async (t) => {
  const server = await aNatsServer(t)
  const { log, said } = aListeningLog()
  const connection = await connectTo(t, server, { log })
  await server.restart()
  await eventually('it is connected again', () => said.includes('nats reconnected'))
  await connection.close()
  await eventually('the end is told', () => said.includes('nats closed'))
  t.deepEqual(said, ['nats connected', 'nats disconnected', 'nats reconnected', 'nats closed'])
})

test('credentials in the address are used', async (t) => {
  const { port, user, pass } = await aNatsServer(t)
  const connection = await connectNats({ ...gateway, url: `nats://${user}:${pass}@127.0.0.1:${port}` })
  t.teardown(() => connection.close())
  t.true((await connection.rtt()) >= 0)
})

test('a broker that is away fails a gateway at once, as something to try again', async (t) => {
  const server = await aNatsServer(t)
  await server.kill9()
  const error = await t.throwsAsync(connectTo(t, server, {}), { instanceOf: FailureError })
  t.like(error?.failure, { kind: 'away', code: 'broker_unavailable' })
})

test('a worker waits for a broker that comes later', async (t) => {
  const server = await aNatsServer(t)
  await server.kill9()
  const { log, said } = aListeningLog()
  const connecting = connectTo(t, server, { log, waitOnFirstConnect: true })
  await eventually('it waits', () => said.includes('nats is not there yet, waiting'))
  await server.restart()
  t.true((await (await connecting).rtt()) >= 0)
})

test('the waiting ends when it is told to', async (t) => {
  const server = await aNatsServer(t)
  await server.kill9()
  const { log, said } = aListeningLog()
  const enough = new AbortController()
  const connecting = connectTo(t, server, { log, waitOnFirstConnect: true, signal: enough.signal })
  const refusal = t.throwsAsync(connecting, { name: 'AbortError' })
  await eventually('it waits', () => said.includes('nats is not there yet, waiting'))
  enough.abort()
  await refusal
})

test('a wrong secret is told, even to a worker that would wait', async (t) => {
  const server = await aNatsServer(t)
  await t.throwsAsync(connectTo(t, server, { pass: 'wrong', waitOnFirstConnect: true }), {
    message: 'the message broker refused our credentials: check NATS_USER, NATS_CREDS and those in NATS_URL',
  })
})

test('a broker that found us too slow to say who we are is tried again, by a gateway too', async (t) => {
  const asked = await anImpatientBroker(t)
  const error = await t.throwsAsync(connectNats({ ...gateway, url: asked.url, user: 'a', pass: 'b' }), {
    instanceOf: FailureError,
  })
  t.like(error?.failure, { kind: 'away', code: 'broker_unavailable' })
  t.true(asked.times() > 1)
})

test('an address that begins with tls:// is never spoken to in clear text', async (t) => {
  const server = await aNatsServer(t)
  await t.throwsAsync(connectTo(t, server, { url: `tls://127.0.0.1:${server.port}` }), { instanceOf: FailureError })
})

/** Says what nats-server says to a client that takes too long. */
async function anImpatientBroker(t: ExecutionContext): Promise<{ url: string; times(): number }> {
  let times = 0
  const server = createServer((socket) => {
    times += 1
    socket.on('error', () => undefined)
    socket.write(
      `INFO ${JSON.stringify({ server_id: 'a', version: '2.12.0', max_payload: 1, auth_required: true })}\r\n`,
    )
    socket.end(`-ERR 'Authentication Timeout'\r\n`)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  return { url: `nats://127.0.0.1:${(server.address() as AddressInfo).port}`, times: () => times }
}

const gateway = { name: 'test', log: silentLog, waitOnFirstConnect: false }

async function connectTo(
  t: ExecutionContext,
  { url, user, pass }: TestNats,
  options: Partial<ConnectNatsOptions>,
): Promise<NatsConnection> {
  const connection = await connectNats({ ...gateway, url, user, pass, ...options })
  t.teardown(() => connection.close())
  return connection
}

/** Remembers what is said at the levels an operator reads. */
function aListeningLog(): { log: Log; said: string[] } {
  const said: string[] = []
  const remember = (message: string): void => void said.push(message)
  return { said, log: { debug() {}, info: remember, warn: remember, error: remember } }
}

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
  t.like(error?.failure, { kind: 'retryable', code: 'broker_unavailable' })
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
    message: 'the message broker refused our credentials: check those in NATS_URL',
  })
})

test('an address that begins with tls:// is never spoken to in clear text', async (t) => {
  const server = await aNatsServer(t)
  await t.throwsAsync(connectTo(t, server, { url: `tls://127.0.0.1:${server.port}` }), { instanceOf: FailureError })
})

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

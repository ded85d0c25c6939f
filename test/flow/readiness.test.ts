import { createServer } from 'node:http'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import test from 'ava'
import type { ExecutionContext } from 'ava'

import { readConfig } from '../../infra/config/config.ts'
import { freshForMs } from '../../infra/health/readiness.ts'
import { startNatsServer } from '../../infra/nats-server/supervise.ts'
import { connectNats } from '../../infra/nats/connection/connect.ts'
import { openBroker } from '../../infra/nats/records/stores.ts'
import { freePort } from '../../infra/process/free-port.ts'
import { sandboxState } from '../../infra/process/sandbox.ts'
import { startBroker } from '../chaos/rig/broker.ts'
import type { Broker } from '../chaos/rig/broker.ts'
import { eventually } from '../support/eventually.ts'
import { aFolder } from '../support/folder.ts'
import { aGateway, gatewayEnvironment } from '../support/gateway.ts'
import { aNatsServer, natsServerForTests } from '../support/nats.ts'
import { startVaak } from '../support/processes.ts'
import { aRealtimeRole } from '../support/realtime-role.ts'
import { silentLog } from '../support/silent-log.ts'
import { aSmallDisk, testWithSmallDisk } from '../support/small-disk.ts'
import { turnOf } from '../support/turns.ts'

/** What `/readyz` says while something that a role needs is missing, with real parts. */

const testOnSmallDisk = await testWithSmallDisk()
const withinMs = 120_000
const replicated = { NATS_REPLICAS: '3' }
const mebibyte = 1024 * 1024
const storesNothing =
  'The message broker answers and stores nothing: its disk is full, or was, and it has not been started anew since.'

test.serial('two dead brokers of three are 503 with the reason, until one is back', async (t) => {
  t.timeout(4 * withinMs)
  await turnOf(t)
  const folder = await aFolder(t)
  await mkdir(join(folder, 'logs'))
  const broker = await startBroker({ folder, logs: join(folder, 'logs') }, 3)
  t.teardown(() => broker.close())
  await untilFormed(t, broker)
  const { url } = await aGateway(t, broker, { environment: replicated })
  await eventually('it is ready', async () => (await readyOf(url)).status === 200, withinMs)

  await Promise.all(broker.nodes.slice(1).map((node) => node.kill9()))
  const sick = await eventually('it is not', () => unready(url), withinMs)
  t.is(sick.dependencies['storage'], 'ok')
  t.regex(sick.dependencies['broker'] ?? '', /message broker|no answer within 3 seconds/)
  await broker.nodes[1]!.start()
  await eventually('it is ready again', async () => (await readyOf(url)).status === 200, withinMs)
})

for (const isMended of [true, false])
  testOnSmallDisk.serial(
    isMended
      ? 'a broker whose disk was full is started anew by who supervises it, and then writes go through'
      : 'a broker whose disk was full is not ready until it is started anew, though there is room again',
    async (t) => {
      t.timeout(4 * withinMs)
      const disk = await aSmallDisk(t, 96 * mebibyte)
      const { path: binary } = await natsServerForTests()
      const lookForRoomMs = isMended ? 200 : withinMs * 10
      const server = await startNatsServer({ binary, storeDir: join(disk, 'nats'), log: silentLog, lookForRoomMs })
      t.teardown(() => server.stop())
      const { url } = await aGateway(t, server)
      await eventually('it is ready', async () => (await readyOf(url)).status === 200)
      const { pid } = server

      await fill(disk)
      const sick = await eventually('it is not', () => unready(url), withinMs)
      t.deepEqual(sick.dependencies, { broker: storesNothing, storage: 'ok', sandbox: sandboxState() })
      t.is(server.pid, pid, 'nobody starts it while there is no room')

      await rm(join(disk, 'filler'))
      if (!isMended) {
        const freedMs = performance.now()
        const fresh = await eventually('somebody has looked since', async () => {
          const seen = await readyOf(url)
          return performance.now() - freedMs > 2 * freshForMs ? seen : undefined
        })
        t.is(fresh.body.dependencies['broker'], storesNothing)
        process.kill(server.pid, 'SIGKILL')
      }
      await eventually('it is ready again', async () => (await readyOf(url)).status === 200, withinMs)
      t.not(server.pid, pid)
    },
  )

test.serial('a store that refuses is 503 with its reason', async (t) => {
  const store = createServer((_request, response) => response.writeHead(403).end())
  await new Promise<void>((resolve) => store.listen(0, '127.0.0.1', resolve))
  t.teardown(() => store.close())
  const address = store.address()
  if (address === null || typeof address === 'string') return t.fail('no port')
  const { url } = await aGateway(t, await aNatsServer(t), {
    environment: {
      STORAGE_URL: `s3://bucket?endpoint=http://127.0.0.1:${address.port}`,
      STORAGE_ACCESS_KEY_ID: 'id',
      STORAGE_SECRET_ACCESS_KEY: 'key',
    },
  })
  const { status, body } = await readyOf(url)
  t.is(status, 503)
  t.deepEqual(body.dependencies, {
    broker: 'ok',
    sandbox: sandboxState(),
    storage: 'The object store refuses our keys; correct them or allow them to read and write the bucket.',
  })
})

test.serial('a worker says whether it can work, on a port of its own', async (t) => {
  const nats = await aNatsServer(t)
  const port = await freePort()
  const worker = startVaak(t, ['worker'], {
    ...gatewayEnvironment(nats, { dataDir: await aFolder(t) }),
    HEALTH_PORT: String(port),
    RECOGNISER: 'scripted',
  })
  await worker.ready()
  const url = `http://127.0.0.1:${port}`
  t.deepEqual(await readyOf(url), {
    status: 200,
    body: { status: 'ready', dependencies: { broker: 'ok', storage: 'ok', models: 'ok', sandbox: sandboxState() } },
  })
  t.is((await fetch(`${url}/healthz`)).status, 200)
  t.is((await fetch(`${url}/files`)).status, 404)
  await nats.kill9()
  const sick = await eventually('it is not ready', () => unready(url))
  t.regex(sick.dependencies['broker'] ?? '', /message broker/)
  t.is((await fetch(`${url}/healthz`)).status, 200)
  await nats.restart()
  await eventually('it is ready again', async () => (await readyOf(url)).status === 200)
})

test.serial('a realtime server is ready when its models are open and the broker takes writes', async (t) => {
  t.timeout(4 * withinMs)
  const { url } = await aRealtimeRole(t)
  await eventually('it is ready', async () => (await readyOf(url)).status === 200, withinMs)
  t.deepEqual((await readyOf(url)).body.dependencies, { broker: 'ok', models: 'ok', sandbox: sandboxState() })
})

/** Nodes that have only just met make no streams yet. */
async function untilFormed(t: ExecutionContext, { url, user, pass }: Broker): Promise<void> {
  const connection = await connectNats({ url, user, pass, name: 'test', log: silentLog, waitOnFirstConnect: true })
  t.teardown(() => connection.close())
  const config = readConfig(replicated)
  await eventually('streams can be made', () => openBroker(connection, { config, isAway: () => false }), withinMs)
}

interface ReadyAnswer {
  readonly status: number
  readonly body: { readonly status: string; readonly dependencies: Record<string, string> }
}

async function readyOf(url: string): Promise<ReadyAnswer> {
  const answer = await fetch(`${url}/readyz`)
  return { status: answer.status, body: (await answer.json()) as ReadyAnswer['body'] }
}

async function unready(url: string): Promise<ReadyAnswer['body'] | undefined> {
  const { status, body } = await readyOf(url)
  return status === 503 ? body : undefined
}

/** To the last byte. */
async function fill(folder: string): Promise<void> {
  const path = join(folder, 'filler')
  await writeFile(path, '')
  for (let pieceBytes = mebibyte; pieceBytes >= 512;)
    try {
      await writeFile(path, Buffer.alloc(pieceBytes), { flag: 'a' })
    } catch {
      pieceBytes /= 2
    }
}
